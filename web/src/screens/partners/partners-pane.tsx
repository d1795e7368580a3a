// The list of partners: search, rows with their MCP switch; and its empty, loading and failed states.

import { useEffect, useRef } from "preact/hooks";
import type { Partner } from "../../generated/types";
import { messages } from "../../i18n";
import { openDialog } from "../../state/dialogs";
import { loadPartners, partnerSearch, partnersRead, retryPartners } from "../../state/partners";
import { hrefOf, route } from "../../state/route";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Empty } from "../../ui/empty";
import { Icon } from "../../ui/icon";
import { Menu } from "../../ui/menu";
import { ProblemBox } from "../../ui/notice";
import { SearchField } from "../../ui/search-field";
import { Switch } from "../../ui/switch";
import { ListRows, RowsLoading, SearchLoading } from "../list-rows";
import { Places } from "../places";
import { Preferences } from "../servers/preferences";
import { partnerMenu, toggleMcp } from "./partner-actions";
import { words } from "./words";

const ROW_PX = 66;

export function PartnersPane() {
  const pane = useRef<HTMLElement>(null);
  const texts = words.value;
  const { value: partners, problem } = partnersRead.value;
  useEffect(() => void loadPartners(), []);
  const query = partnerSearch.value.trim().toLowerCase();
  const shown = partners?.filter(({ name }) => name.toLowerCase().includes(query)) ?? [];
  const some = partners !== undefined && partners.length > 0;
  const none = partners && !problem && !some;
  const add = (
    <Button kind="primary" icon="plus" onClick={() => (openDialog.value = { kind: "newPartner" })}>
      {texts.add}
    </Button>
  );

  return (
    <nav class="servers-pane" ref={pane} aria-label={messages.value.places.partners}>
      <div class="pane-top">
        <header class="pane-head">
          <Places at="partners" />
          <Preferences />
          {!none && <div class="pane-actions">{add}</div>}
        </header>
        {!partners && !problem && <SearchLoading />}
        {some && (
          <div class="pane-search">
            <SearchField
              label={texts.search}
              value={partnerSearch.value}
              onChange={(to) => (partnerSearch.value = to)}
            />
          </div>
        )}
      </div>
      {!partners && !problem && <RowsLoading label={texts.loading} lines={2} />}
      {problem && (
        <div class="pane-part">
          <ProblemBox
            problem={problem}
            title={texts.loadFailed}
            actions={
              <Button icon="refresh" onClick={retryPartners}>
                {messages.value.common.retry}
              </Button>
            }
          />
        </div>
      )}
      {none && (
        <Empty icon="users" title={texts.emptyTitle} actions={add}>
          <p>{texts.emptyText}</p>
        </Empty>
      )}
      {some && (
        <ListRows
          shown={shown}
          chosenId={route.value.partnerId}
          label={texts.listLabel}
          estimate={ROW_PX}
          scroller={pane}
          row={(partner) => <PartnerRow partner={partner} />}
        />
      )}
      {some && shown.length === 0 && (
        <p class="pane-part muted" role="status">
          <Untrusted text={texts.noMatch(partnerSearch.value.trim())} />
        </p>
      )}
    </nav>
  );
}

function PartnerRow({ partner }: { partner: Partner }) {
  const texts = words.value;
  const { id, name, grants } = partner;
  const chosen = route.value.partnerId === id;
  return (
    <>
      <a
        class="server-link"
        href={hrefOf({ partnerId: id })}
        aria-current={chosen ? "page" : undefined}
        data-server={id}
      >
        <Untrusted text={name} />
      </a>
      <span class="server-facts">
        <McpWord on={partner.mcpEnabled} />
        <span class="muted">{texts.servers(grants.length)}</span>
      </span>
      <span class="server-controls two">
        <Switch
          label={texts.mcpSwitch(visible(name))}
          checked={partner.mcpEnabled}
          onToggle={() => void toggleMcp(partner)}
        />
        <Menu label={texts.moreActions(visible(name))} items={partnerMenu(partner)} />
      </span>
    </>
  );
}

export function McpWord({ on }: { on: boolean }) {
  return (
    <span class={on ? "state active" : "state paused"}>
      <Icon name={on ? "circleCheck" : "circlePause"} size={14} />
      {on ? words.value.mcpOn : words.value.mcpOff}
    </span>
  );
}
