// Where a server is, in a line of its header: what a list may show, and the whole address or command for who asks.

import { useEffect, useState } from "preact/hooks";
import { problemOf } from "../../bridge/problem";
import type { ServerConfig, ServerSummary } from "../../generated/types";
import { messages } from "../../i18n";
import { complain, settle } from "../../state/notices";
import { readConfig } from "../../state/servers";
import { Untrusted } from "../../text/untrusted";
import { Icon } from "../../ui/icon";

export function WholeAddress({ server }: { server: ServerSummary }) {
  const { server: texts } = messages.value;
  const [whole, setWhole] = useState<ServerConfig | undefined>(undefined);
  const { id, target, transport } = server;
  const about = `address ${id}`;
  // What was shown may be another address by now.
  useEffect(() => setWhole(undefined), [server]);

  const toggle = async () => {
    if (whole) return setWhole(undefined);
    try {
      const { config } = await readConfig(id, true);
      settle(about);
      setWhole(config);
    } catch (error) {
      complain(texts.addressUnread, problemOf(error), about);
    }
  };

  return (
    <>
      <span class="server-target-line">
        <Icon name={transport === "http" ? "globe" : "terminal"} size={14} />
        {whole ? <Whole config={whole} /> : <Untrusted text={target} />}
      </span>
      <button type="button" class="link" aria-expanded={whole !== undefined} onClick={() => void toggle()}>
        {whole ? texts.hideAddress : transport === "http" ? texts.showAddress : texts.showCommand}
      </button>
    </>
  );
}

function Whole({ config }: { config: ServerConfig }) {
  const parts = config.type === "http" ? [config.url] : [config.command, ...config.args];
  return (
    <span class="whole-address">
      {parts.map((part, index) => (
        <code key={index}>
          <Untrusted text={part} />
        </code>
      ))}
      {config.type === "stdio" && config.cwd !== undefined && (
        <span>
          {messages.value.add.cwd}
          {messages.value.common.colon}
          <code>
            <Untrusted text={config.cwd} />
          </code>
        </span>
      )}
    </span>
  );
}
