// What the codes of files, of servers and of saved lists of tools, mean, in English.

import type { CodeTexts } from ".";

export const storageCodesEn = {
  "mcp.catalog_persistence_failed": [
    "The list of tools could not be saved",
    "It works until Toolgate ends. Check the data folder's free space and rights, then refresh.",
  ],
  "mcp.storage_folder_unreadable": ["The folder of your servers cannot be read", "Check its rights, then try again."],
  "mcp.storage_unreadable": ["A file cannot be read", "Check its rights."],
  "mcp.storage_invalid": ["A file is damaged or not in the right form", "Repair it by hand, or remove it."],
  "mcp.storage_kind_unknown": [
    "A file holds something else",
    "Move it out of this folder if you need it, or remove it.",
  ],
  "mcp.storage_schema_unknown": [
    "A file comes from another version of Toolgate",
    "Use the version that wrote it, or remove it.",
  ],
  "mcp.storage_id_mismatch": [
    "A file's name and content do not belong together",
    "Give it the name of the id inside, or remove it.",
  ],
  "mcp.storage_name_noncanonical": [
    "A file's name is not written in its usual form",
    "Rename it to lowercase with hyphens, or remove it.",
  ],
  "mcp.storage_foreign_file": [
    "A file does not belong in this folder",
    "Move it elsewhere if you need it, or remove it.",
  ],
  "mcp.storage_issue_not_found": ["This file is no longer in the list", "Nothing to do; the list has been read again."],
  "mcp.storage_write_failed": [
    "A file could not be written or removed",
    "Check the data folder's free space and rights, then try again.",
  ],
  "mcp.storage_change_pending": [
    "A change could not be written to all of its files yet",
    "Check the data folder's free space and rights; it is tried again with your next change and at each start.",
  ],
  "mcp.storage_registration_missing": [
    "A server's file is gone, and its connection is still kept",
    "Put the file back from a copy, or remove what is left of the server.",
  ],
  "mcp.storage_credentials_missing": [
    "The server's saved connection is missing",
    "Put the credential file back from a copy, or remove the server and add it again.",
  ],
  "mcp.storage_credentials_unreadable": [
    "The file with the server's connection cannot be used",
    "Mend the credential file or put it back from a copy.",
  ],
  "mcp.storage_keyring_unavailable": [
    "The key of the credentials cannot be had from the system's keyring",
    "Unlock the keyring of the account and computer that saved them, then load again.",
  ],
  "mcp.catalog_read_failed": [
    "The saved list of tools cannot be read",
    "Refresh to read the tools from the server again.",
  ],
  "mcp.catalog_schema_unknown": [
    "The saved list of tools comes from another version",
    "Refresh to read the tools from the server again.",
  ],
  "mcp.catalog_mismatch": [
    "The saved list of tools belongs to another server or endpoint",
    "Refresh to read the tools from the server again.",
  ],
  "mcp.catalog_damaged": ["The saved list of tools is damaged", "Refresh to read the tools from the server again."],
  "mcp.catalog_diagnostic_foreign": [
    "A note of the saved list comes from another program",
    "Nothing to do; its words are shown as they are.",
  ],
} satisfies Partial<CodeTexts>;
