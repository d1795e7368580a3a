// The list of servers: search, rows, files that could not be used; and its empty, loading and failed states.

import { useRef } from "preact/hooks";
import { messages } from "../../i18n";
import { openDialog } from "../../state/dialogs";
import { route } from "../../state/route";
import { loaded, retryLoad, serverSearch, servers, shownServers, storageIssues } from "../../state/servers";
import { Untrusted } from "../../text/untrusted";
import { Button } from "../../ui/button";
import { Empty } from "../../ui/empty";
import { ProblemBox } from "../../ui/notice";
import { SearchField } from "../../ui/search-field";
import { SHAPE_ONE } from "../config/examples";
import { ListRows, RowsLoading, SearchLoading } from "../list-rows";
import { Places } from "../places";
import { Preferences } from "./preferences";
import { ServerRow } from "./server-row";
import { StorageIssues } from "./storage-issues";

const ROW_PX = 86;

export function ServersPane() {
  const texts = messages.value;
  const { list, problem } = loaded.value;
  const search = useRef<HTMLInputElement>(null);
  const pane = useRef<HTMLElement>(null);
  const some = servers.value.length > 0;
  const none = list && !problem && !some;
  // In an empty place they stand where one looks.
  const actions = (
    <>
      <Button kind="primary" icon="plus" onClick={() => (openDialog.value = { kind: "add" })}>
        {texts.servers.add}
      </Button>
      <Button icon="fileInput" onClick={() => (openDialog.value = { kind: "import" })}>
        {texts.servers.import}
      </Button>
    </>
  );

  return (
    <nav class="servers-pane" ref={pane} aria-label={texts.servers.title}>
      <div class="pane-top">
        <header class="pane-head">
          <Places at="servers" />
          <Preferences />
          {!none && <div class="pane-actions">{actions}</div>}
        </header>
        {!list && !problem && <SearchLoading />}
        {some && (
          <div class="pane-search">
            <SearchField
              label={texts.servers.search}
              value={serverSearch.value}
              inputRef={search}
              onChange={(value) => (serverSearch.value = value)}
            />
          </div>
        )}
      </div>
      {!list && !problem && <RowsLoading label={texts.servers.loading} lines={3} />}
      {problem && (
        <div class="pane-part">
          <ProblemBox
            problem={problem}
            title={texts.servers.loadFailed}
            actions={
              <Button icon="refresh" onClick={() => void retryLoad()}>
                {texts.common.retry}
              </Button>
            }
          />
        </div>
      )}
      {storageIssues.value.length > 0 && <StorageIssues issues={storageIssues.value} />}
      {none && (
        <Empty icon="server" title={texts.servers.emptyTitle} actions={actions}>
          <p>{texts.servers.emptyText}</p>
          <p>{texts.servers.emptyHint}</p>
          <pre class="empty-example">{SHAPE_ONE}</pre>
        </Empty>
      )}
      {some && (
        <ListRows
          shown={shownServers.value}
          chosenId={route.value.serverId}
          label={texts.servers.listLabel}
          estimate={ROW_PX}
          scroller={pane}
          row={(server) => <ServerRow server={server} />}
        />
      )}
      {some && shownServers.value.length === 0 && (
        <p class="pane-part muted" role="status">
          <Untrusted text={texts.servers.noMatch(serverSearch.value.trim())} />
        </p>
      )}
    </nav>
  );
}
