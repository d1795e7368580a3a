// Starts the page: the manager API for extensions, core, the bridge, what is read again when the host says that something
// changed.

import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/feedback.css";
import "./styles/layout.css";
import "./styles/dialogs.css";
import "./styles/tools.css";
import "./styles/call.css";
import "./styles/partners.css";
import "./styles/import.css";

import { render } from "preact";
import { mcpApi, place } from "./abi/install";
import { App } from "./app";
import { loadCore } from "./core";
import { wordsOfChoice } from "./i18n";
import { bridge, startBridge } from "./state/bridge";
import { rereadAll, rereadSoon } from "./state/catalogs";
import { loadServers, offerRecommended } from "./state/servers";
import { loadEarly } from "./ui/lazy";

// First of all, so that an extension finds it whatever becomes of the rest.
place(mcpApi(bridge), bridge.opened);
loadCore();
void offerRecommended();
startBridge({
  onConnected: () => {
    void loadServers();
    rereadAll();
  },
  onChanged: ({ area, id }) => {
    if (area === "partners") return;
    void loadServers();
    if (id !== undefined) rereadSoon(id);
  },
});

const root = document.getElementById("app");
// Not a moment in another language.
void wordsOfChoice().then(() => {
  if (root) render(<App />, root);
  loadEarly();
});
