// The parts of the page that are loaded on demand, each a chunk of its own with what only it needs.

import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { messages } from "../i18n";
import { closeDialog } from "../state/dialogs";
import { complain } from "../state/notices";
import { lazy } from "../ui/lazy";

/** A dialog that cannot be loaded is closed again, and the person told. */
function dialog<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazy(load, { failed: () => <NotLoaded /> });
}

function NotLoaded() {
  useEffect(() => {
    complain(messages.peek().common.partNotLoaded, { kind: "offline" });
    closeDialog();
  }, []);
  return null;
}

export const AddDialog = dialog(() => import("./add/add-dialog").then((part) => part.AddDialog));
export const EditDialog = dialog(() => import("./edit/edit-dialog").then((part) => part.EditDialog));
export const ActivateDialog = dialog(() => import("./activate/activate-dialog").then((part) => part.ActivateDialog));
