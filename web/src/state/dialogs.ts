// Which dialog is open; one at a time.

import { signal } from "@preact/signals";

export type OpenDialog =
  | { kind: "add" }
  | { kind: "import" }
  | { kind: "activate"; id: string }
  | { kind: "edit"; id: string }
  | { kind: "remove"; id: string }
  | { kind: "removeFile"; fileName: string }
  | { kind: "newPartner" }
  | { kind: "renamePartner"; id: string }
  | { kind: "removePartner"; id: string }
  | { kind: "grant"; id: string };

export const openDialog = signal<OpenDialog | undefined>(undefined);

export function closeDialog(): void {
  openDialog.value = undefined;
}

// The back button leads to another screen; what the dialog was about is not on it.
addEventListener("hashchange", closeDialog);
