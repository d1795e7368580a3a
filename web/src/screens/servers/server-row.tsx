// One server in the list: name, way and target, state with its switch, tools, last failure, actions.

import type { ServerSummary } from "../../generated/types";
import { codeText, messages } from "../../i18n";
import { catalogOf } from "../../state/catalogs";
import { hrefOf, route } from "../../state/route";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Icon } from "../../ui/icon";
import { Menu } from "../../ui/menu";
import { StateWord } from "../../ui/state-word";
import { Switch } from "../../ui/switch";
import { RelativeTime } from "../../ui/time";
import { serverMenu, toggleState } from "./server-actions";

export function ServerRow({ server }: { server: ServerSummary }) {
  const texts = messages.value;
  const chosen = route.value.serverId === server.id;
  const catalog = catalogOf(server.id).value;
  const name = visible(server.displayName);
  const { lastFailure } = server;

  return (
    <>
      <a
        class="server-link"
        href={hrefOf({ serverId: server.id })}
        aria-current={chosen ? "page" : undefined}
        data-server={server.id}
      >
        <span class="server-name">
          <Untrusted text={server.displayName} />
        </span>
      </a>
      <span class="server-target" title={visible(server.target)}>
        <Icon name={server.transport === "http" ? "globe" : "terminal"} size={14} />
        <span class="visually-hidden">{texts.servers.transport[server.transport]}</span>
        <span class="clip">
          <Untrusted text={server.target} />
        </span>
      </span>
      <span class="server-facts">
        <StateWord server={server} catalog={catalog} />
        {server.state === "active" && !catalog.reading && (
          <span class="muted">
            {server.toolCount === undefined ? texts.status.notRead : texts.servers.tools(server.toolCount)}
          </span>
        )}
      </span>
      {lastFailure && server.state === "active" && !catalog.reading && (
        <span class="server-failure">
          <Icon name="circleAlert" size={14} />
          <span>
            {/* The time alone on a line would say nothing. */}
            {codeText(lastFailure.code)[0]}
            {"\u00a0·\u00a0"}
            <RelativeTime ms={lastFailure.atMs} />
          </span>
        </span>
      )}
      <span class="server-controls">
        <Switch
          label={texts.servers.switchLabel(name)}
          checked={server.state === "active"}
          onToggle={() => void toggleState(server)}
        />
        <Menu label={texts.common.moreActions(name)} items={serverMenu(server)} />
      </span>
    </>
  );
}
