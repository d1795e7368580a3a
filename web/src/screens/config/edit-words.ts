// Words of editing a saved server, loaded with the dialogs that use them.

import { wordsOf } from "../../i18n/words";

const en = {
  title: (name: string) => `Edit ${name}`,
  loading: "Reading the configuration…",
  placeholders:
    "{{DSH_MCP_SAVED:…}} stands for a saved value that is not shown. Leave it to keep the value, or write a new one.",
  reveal: "Show saved values",
  revealWhyNot: "Not possible while your draft differs from what is saved.",
  revealUrl: "Show it whole",
  activeTitle: "This server is active",
  activeText:
    "Once saved, it stays active and models can reach it there at once. Or save and pause it: then you activate it when you are ready.",
  sameEndpoint: (url: string) => `The endpoint stays ${url}; what is sent along, or the protocol version, changes.`,
  saveActive: "Save and keep active",
  saveAndPause: "Save and pause",
  savedPaused: (name: string) => `${name} was saved and is paused.`,
  formTooSmall: "An argument has line breaks, which the form cannot hold. Edit it here as JSON.",
  formUnread: "The form opens once the JSON has nothing to fix.",
  nameMissing: "How you will recognise it here.",
  checkEmpty: "There is nothing here. Write the server’s JSON.",
  checkOk: "Nothing to fix",
  willAdd: "As it will be saved",
  save: "Save",
  saving: "Saving…",
  connectionNote: "A change of the connection discards the saved list of tools. Your decisions about tools stay.",
  conflict:
    "The server was changed elsewhere in the meantime. Your draft is kept; saving it replaces what is there now.",
  saved: (name: string) => `${name} was saved.`,
  savedUnread: (name: string) => `${name} was saved. Its tools are not read yet over the new connection.`,
};

type Words = typeof en;

const zh: Words = {
  title: (name) => `编辑 ${name}`,
  loading: "正在读取配置…",
  placeholders: "{{DSH_MCP_SAVED:…}} 代表未显示的已保存值。保留它即保持原值，也可以填写新值。",
  reveal: "显示已保存的值",
  revealWhyNot: "草稿有改动时，不能显示已保存的值。",
  revealUrl: "显示完整地址",
  activeTitle: "这个服务器处于启用状态",
  activeText: "保存后它保持启用，模型可立即通过新的连接使用它。也可以保存并暂停，准备好后再启用。",
  sameEndpoint: (url) => `端点仍为 ${url}；改变的是随请求发送的内容或协议版本。`,
  saveActive: "保存并保持启用",
  saveAndPause: "保存并暂停",
  savedPaused: (name) => `已保存 ${name}，它现在处于暂停状态。`,
  formTooSmall: "有参数包含换行，表单无法容纳，请在这里以 JSON 编辑。",
  formUnread: "JSON 没有需要修正的内容后，才能打开表单。",
  nameMissing: "便于你在这里辨认。",
  checkEmpty: "这里没有内容。请填写服务器的 JSON。",
  checkOk: "没有需要修正的内容",
  willAdd: "将保存为",
  save: "保存",
  saving: "正在保存…",
  connectionNote: "更改连接会丢弃已保存的工具列表；你对工具的决定会保留。",
  conflict: "这个服务器刚刚在别处被修改。你的草稿仍在；保存会覆盖现在的内容。",
  saved: (name) => `已保存 ${name}。`,
  savedUnread: (name) => `已保存 ${name}。尚未通过新的连接读取它的工具。`,
};

export const editWords = wordsOf<Words>({ en, zh });
