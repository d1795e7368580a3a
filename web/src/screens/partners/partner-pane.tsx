// One partner: its MCP switch, what it is granted, and what of that its next turn offers.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Partner, PartnerPreview, PreviewedServer } from "../../generated/types";
import { messages } from "../../i18n";
import { sentences } from "../../i18n/sentences";
import { openDialog } from "../../state/dialogs";
import { partnerById, partnersRead, previewOf, retryPartners, showPreview } from "../../state/partners";
import { hrefOf } from "../../state/route";
import { loaded, servers } from "../../state/servers";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Empty } from "../../ui/empty";
import { Icon, Spinner } from "../../ui/icon";
import { Menu } from "../../ui/menu";
import { Box, DiagnosticText, ProblemBox } from "../../ui/notice";
import { SearchField } from "../../ui/search-field";
import { Switch } from "../../ui/switch";
import { findGrants } from "./find-grants";
import { GrantRows, isLong } from "./grant-rows";
import { partnerMenu, toggleMcp } from "./partner-actions";
import { McpWord } from "./partners-pane";
import { words } from "./words";

/** How many granted servers are shown before a person asks for the others (partner contract). */
const FIRST = 4;

export function PartnerPane({ id }: { id: string }) {
  const texts = words.value;
  const { value: partners, problem } = partnersRead.value;
  const partner = partnerById(id);
  if (partner) return <KnownPartner partner={partner} />;
  if (id === "") {
    if (!partners || partners.length === 0) return null;
    return (
      <Empty icon="users" title={texts.chooseTitle}>
        <p>{texts.chooseText}</p>
      </Empty>
    );
  }
  if (!partners) return problem ? null : <Empty icon="spinner" title={texts.loading} />;
  return (
    <Empty
      icon="unplug"
      title={texts.goneTitle}
      actions={
        <a class="button plain" href={hrefOf({ partnerId: "" })}>
          {texts.back}
        </a>
      }
    >
      <p>{texts.goneText}</p>
    </Empty>
  );
}

function KnownPartner({ partner }: { partner: Partner }) {
  const texts = words.value;
  const { id } = partner;
  const name = visible(partner.name);
  const { value: preview, problem } = previewOf(id).value;
  useEffect(() => showPreview(id), [id]);
  const scroller = useRef<HTMLDivElement>(null);

  return (
    <div class="server-pane" ref={scroller}>
      <header class="server-head">
        <a class="back" href={hrefOf({ partnerId: "" })}>
          <Icon name="arrowLeft" size={18} />
          <span>{texts.back}</span>
        </a>
        <div class="server-title">
          <h1 tabIndex={-1} data-focus-fallback>
            <Untrusted text={partner.name} />
          </h1>
          <div class="server-tools">
            <McpWord on={partner.mcpEnabled} />
            <Switch
              label={texts.mcpSwitch(name)}
              checked={partner.mcpEnabled}
              onToggle={() => void toggleMcp(partner)}
            />
            <Menu label={texts.moreActions(name)} items={partnerMenu(partner)} />
          </div>
        </div>
        <p class="server-subtitle" role="status">
          {preview && <span>{nextTurn(preview)}</span>}
        </p>
      </header>
      <div class="server-body partner-body">
        {problem && (
          <ProblemBox
            problem={problem}
            title={preview ? texts.shownIsOld : texts.readFailed}
            actions={
              <Button icon="refresh" onClick={retryPartners}>
                {messages.value.common.retry}
              </Button>
            }
          />
        )}
        {!partner.mcpEnabled && (
          <Box
            tone="info"
            title={texts.offTitle}
            actions={
              <Button icon="plug" onClick={() => void toggleMcp(partner)}>
                {texts.switchOn}
              </Button>
            }
          >
            <p>{texts.offText}</p>
          </Box>
        )}
        {preview?.diagnostics
          .filter(({ code }) => code !== "mcp.partner_mcp_off")
          .map((diagnostic, index) => (
            <Box key={index} tone="warning">
              <DiagnosticText diagnostic={diagnostic} />
            </Box>
          ))}
        {preview ? (
          <Grants partner={partner} granted={preview.servers} scroller={scroller} />
        ) : (
          !problem && (
            <p class="progress" role="status">
              <Spinner /> {texts.reading}
            </p>
          )
        )}
      </div>
    </div>
  );
}

function nextTurn({ partner, servers: granted, toolCount }: PartnerPreview): string {
  if (partner.mcpEnabled) return words.value.offers(toolCount);
  const later = granted.reduce((sum, server) => sum + server.tools.length, 0);
  return later === 0 ? words.value.offers(0) : sentences(words.value.offers(0), words.value.offersWhenOn(later));
}

interface GrantsProps {
  partner: Partner;
  granted: readonly PreviewedServer[];
  scroller: { readonly current: HTMLElement | null };
}

function Grants({ partner, granted, scroller }: GrantsProps) {
  const texts = words.value;
  const [all, setAll] = useState(false);
  const [query, setQuery] = useState("");
  const left = servers.value.filter((server) => !partner.grants.some((grant) => grant.serverId === server.id));
  const long = isLong(granted);
  const searching = long && query.trim() !== "";
  const shown = findGrants(searching || all ? granted : granted.slice(0, FIRST), searching ? query : "");
  const hint = !loaded.value.list
    ? texts.reading
    : servers.value.length === 0
      ? texts.noServers
      : left.length === 0
        ? texts.allGranted
        : undefined;
  const grant = (
    <Button
      kind={granted.length === 0 ? "primary" : "plain"}
      icon="plus"
      aria-disabled={hint !== undefined || undefined}
      onClick={() => hint === undefined && (openDialog.value = { kind: "grant", id: partner.id })}
    >
      {texts.grant}
    </Button>
  );
  if (granted.length === 0) {
    return (
      <Empty icon="server" title={texts.noneTitle} actions={grant}>
        <p>{hint ?? texts.noneText}</p>
      </Empty>
    );
  }
  return (
    <section class="grants" aria-label={texts.grants}>
      <div class="grants-head">
        <h2>{texts.grants}</h2>
        {hint !== undefined && <span class="muted">{hint}</span>}
        {grant}
      </div>
      {long && (
        <div class="grants-search">
          <SearchField label={texts.searchGrants} value={query} onChange={setQuery} />
        </div>
      )}
      <GrantRows partnerId={partner.id} on={partner.mcpEnabled} shown={shown} scroller={scroller} />
      {long && (
        <p class={shown.length === 0 ? "muted" : "visually-hidden"} role="status">
          {searching && (shown.length === 0 ? texts.noGrantFound : texts.grantsFound(shown.length))}
        </p>
      )}
      {granted.length > FIRST && !searching && (
        <Button kind="quiet" icon="chevron" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? texts.showFewer : texts.showMore(granted.length - FIRST)}
        </Button>
      )}
    </section>
  );
}
