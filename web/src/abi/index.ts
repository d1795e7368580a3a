// The package `@toolgate/manager`: the manager API in a page that is not Toolgate's own, over whatever carries its
// messages. Its declaration is `package.d.ts`.

import { BridgeClient } from "../bridge/client";
import { FunctionTransport, type Carry, type Listen } from "../bridge/function";
import type { ConnectionState, Transport } from "../bridge/transport";
import { hostSocketUrl, WebSocketTransport } from "../bridge/websocket";
import { mcpApi, place } from "./install";
import { legacyApi } from "./legacy";
import type { LegacyApi } from "./package";
import type { TauriTavernMcpApi } from "./tauritavern-mcp";

export interface Options {
  transport: Transport;
  /** Told of every change of the connection, for a word to the person. */
  onState?: (state: ConnectionState) => void;
}

export interface Connected {
  mcp: TauriTavernMcpApi;
  /** For the application's own chat; never put at `window`. */
  legacy: LegacyApi;
  /** Resolves once the host is reached for the first time. */
  ready: Promise<void>;
}

/** The API over a transport, without touching `window`. */
export function createMcpApi({ transport, onState }: Options): Connected {
  const bridge = new BridgeClient(transport);
  bridge.start({ onState: (state) => onState?.(state), onChanged: () => undefined });
  return { mcp: mcpApi(bridge), legacy: legacyApi(bridge), ready: bridge.opened };
}

/** The API at `window.__TAURITAVERN__.api.mcp`, beside other parts of `api` that are there. */
export function installMcpApi(options: Options): Connected {
  const connected = createMcpApi(options);
  place(connected.mcp, connected.ready);
  return connected;
}

/** To a `toolgate serve` that names this page's origin with `--allow-origin`. */
export function overWebSocket({ address, token }: { address: string; token: string }): Transport {
  return new WebSocketTransport(hostSocketUrl(address), () => `bearer.${token}`);
}

/** Through a function that hands one message to the host's bridge, such as a WebView's IPC. */
export function overFunction(carry: Carry, listen?: Listen): Transport {
  return new FunctionTransport(carry, listen);
}
