// What the codes of files, of servers and of saved lists of tools, mean, in Chinese.

import type { CodeTexts } from ".";

export const storageCodesZh = {
  "mcp.catalog_persistence_failed": [
    "工具列表无法保存",
    "在 Toolgate 退出前可用。请检查数据目录的空间和权限，然后刷新。",
  ],
  "mcp.storage_folder_unreadable": ["无法读取保存服务器的目录", "请检查其权限，然后重试。"],
  "mcp.storage_unreadable": ["有文件无法读取", "请检查其权限。"],
  "mcp.storage_invalid": ["有文件已损坏或格式不对", "请手动修复，或将其移除。"],
  "mcp.storage_kind_unknown": ["有文件保存的是其他内容", "需要的话请移出该目录，否则将其移除。"],
  "mcp.storage_schema_unknown": ["有文件来自其他版本的 Toolgate", "请使用写入它的版本，或将其移除。"],
  "mcp.storage_id_mismatch": ["有文件的名称与内容不符", "请按其中的 ID 重命名，或将其移除。"],
  "mcp.storage_name_noncanonical": ["有文件的名称写法不规范", "请改为小写并使用连字符，或将其移除。"],
  "mcp.storage_foreign_file": ["有文件不属于该目录", "需要的话请移到别处，否则将其移除。"],
  "mcp.storage_issue_not_found": ["该文件已不在列表中", "无需处理，列表已重新读取。"],
  "mcp.storage_write_failed": ["文件无法写入或删除", "请检查数据目录的空间和权限，然后重试。"],
  "mcp.storage_change_pending": [
    "有一项更改尚未写入全部文件",
    "请检查数据目录的空间和权限；下次更改和每次启动时都会重试。",
  ],
  "mcp.storage_registration_missing": [
    "服务器的文件已不存在，但它的连接配置仍被保存",
    "请从备份恢复该文件，或移除该服务器的残留内容。",
  ],
  "mcp.storage_credentials_missing": [
    "缺少该服务器已保存的连接配置",
    "请从备份恢复凭据文件，或移除该服务器后重新添加。",
  ],
  "mcp.storage_credentials_unreadable": ["保存该服务器连接配置的文件无法使用", "请修复凭据文件，或从备份恢复。"],
  "mcp.storage_keyring_unavailable": [
    "无法从系统密钥环取得凭据的密钥",
    "请解锁保存这些凭据的账户和电脑的密钥环，然后重新加载。",
  ],
  "mcp.catalog_read_failed": ["无法读取已保存的工具列表", "请刷新，重新从服务器读取。"],
  "mcp.catalog_schema_unknown": ["已保存的工具列表来自其他版本", "请刷新，重新从服务器读取。"],
  "mcp.catalog_mismatch": ["已保存的工具列表属于其他服务器或端点", "请刷新，重新从服务器读取。"],
  "mcp.catalog_damaged": ["已保存的工具列表已损坏", "请刷新，重新从服务器读取。"],
  "mcp.catalog_diagnostic_foreign": ["已保存列表中的一条说明来自其他程序", "无需处理，原文照常显示。"],
} satisfies Partial<CodeTexts>;
