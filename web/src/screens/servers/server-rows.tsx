// The rows of the list of servers. Of a long list only those in sight are in the document, and those that the focus can go
// to next: Tab goes through all rows either way.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { messages } from "../../i18n";
import { route } from "../../state/route";
import { loaded, shownServers } from "../../state/servers";
import { useVirtualRows } from "../../ui/virtual-rows";
import { ServerRow } from "./server-row";

/** So many are in the document as a whole, where the browser's own search finds them too. */
const WHOLE = 20;
const ROW_PX = 86;

export function ServerRows({ scroller }: { scroller: { readonly current: HTMLElement | null } }) {
  const list = useRef<HTMLUListElement>(null);
  const [margin, setMargin] = useState(0);
  const [focusId, setFocusId] = useState<string | undefined>(undefined);
  // On a narrow screen the way back from a server leads to its row.
  const lastChosen = useRef<string | undefined>(undefined);
  const { serverId } = route.value;
  lastChosen.current = serverId ?? lastChosen.current;

  const shown = shownServers.value;
  const count = shown.length;
  const long = count > WHOLE;
  const indexOf = (id: string | undefined) => shown.findIndex((server) => server.id === id);
  const focused = indexOf(focusId);
  const beside = focused === -1 ? [] : [focused - 1, focused, focused + 1];

  const rows = useVirtualRows({
    count: long ? count : 0,
    scroller: () => scroller.current,
    keyOf: (index) => shown[index]?.id ?? String(index),
    estimate: ROW_PX,
    // Tab comes into the list at its first row or its last.
    keep: [0, ...beside, indexOf(lastChosen.current), count - 1],
    gap: 2,
    margin,
    covered: 120,
  });

  // What stands above the list comes, goes and unfolds.
  const measure = () => {
    const pane = scroller.current;
    if (!pane || !list.current?.checkVisibility()) return;
    const top = list.current.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
    setMargin(Math.round(top));
  };
  void loaded.value;
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    const pane = scroller.current;
    pane?.addEventListener("toggle", measure, true);
    return () => pane?.removeEventListener("toggle", measure, true);
  }, []);

  // A link to a server shows its row, once it has its place.
  useLayoutEffect(() => {
    const row = list.current?.querySelector(".chosen");
    if (!row) return undefined;
    const frame = requestAnimationFrame(() => row.scrollIntoView({ block: "nearest" }));
    return () => cancelAnimationFrame(frame);
  }, [serverId]);

  return (
    <ul
      ref={list}
      class={long ? "server-list long" : "server-list"}
      aria-label={messages.value.servers.listLabel}
      style={{ height: long ? `${rows.getTotalSize()}px` : "" }}
      onFocusIn={({ target }) => {
        const row = target instanceof Element ? target.closest(".server-row") : null;
        setFocusId(row?.querySelector<HTMLElement>("[data-server]")?.dataset["server"]);
      }}
    >
      {long
        ? rows.getVirtualItems().map(({ index, start }) => {
            const server = shown[index];
            if (!server) return null;
            const slot = { index, count, top: start - margin, measure: rows.measureElement };
            return <ServerRow key={server.id} server={server} slot={slot} />;
          })
        : shown.map((server) => <ServerRow key={server.id} server={server} slot={undefined} />)}
    </ul>
  );
}
