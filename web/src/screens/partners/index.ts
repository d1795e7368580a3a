// Everything of the Partners screen, as one chunk.

export { GrantDialog } from "./grant-dialog";
export { PartnerNameDialog, RemovePartnerDialog } from "./partner-dialogs";
export { PartnerPane } from "./partner-pane";
export { PartnersPane } from "./partners-pane";
