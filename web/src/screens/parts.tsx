// The parts of the page that are loaded on demand, each a chunk of its own with what only it needs.

import type { ComponentType, VNode } from "preact";
import { useEffect } from "preact/hooks";
import { messages } from "../i18n";
import { closeDialog } from "../state/dialogs";
import { complain } from "../state/notices";
import { Button } from "../ui/button";
import { Empty } from "../ui/empty";
import { lazy } from "../ui/lazy";
import { ProblemBox } from "../ui/notice";

/** A dialog that cannot be loaded is closed again, and the person told. */
function dialog<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazy(load, { failed: () => <NotLoaded /> });
}

function NotLoaded() {
  useEffect(() => {
    complain(messages.peek().common.partNotLoaded, { kind: "unloaded" });
    closeDialog();
  }, []);
  return null;
}

/** A pane that cannot be loaded says so in its place. */
function pane<P extends object>(load: () => Promise<ComponentType<P>>, waiting?: () => VNode): ComponentType<P> {
  return lazy(load, {
    ...(waiting && { waiting }),
    failed: (retry) => (
      <ProblemBox
        problem={{ kind: "unloaded" }}
        title={messages.value.common.partNotLoaded}
        actions={
          <Button icon="refresh" onClick={retry}>
            {messages.value.common.retry}
          </Button>
        }
      />
    ),
  });
}

export const AddDialog = dialog(() => import("./add/add-dialog").then((part) => part.AddDialog));
export const ImportDialog = dialog(() => import("./import/import-dialog").then((part) => part.ImportDialog));
export const EditDialog = dialog(() => import("./edit/edit-dialog").then((part) => part.EditDialog));
export const ActivateDialog = dialog(() => import("./activate/activate-dialog").then((part) => part.ActivateDialog));

export const CallScreen = pane(() => import("./call/call-screen").then((part) => part.CallScreen));

const partners = () => import("./partners");
export const PartnersPane = pane(
  () => partners().then((part) => part.PartnersPane),
  () => <Empty icon="spinner" title={messages.value.common.loading} />,
);
export const PartnerPane = pane(() => partners().then((part) => part.PartnerPane));
export const PartnerNameDialog = dialog(() => partners().then((part) => part.PartnerNameDialog));
export const RemovePartnerDialog = dialog(() => partners().then((part) => part.RemovePartnerDialog));
export const GrantDialog = dialog(() => partners().then((part) => part.GrantDialog));
