// The tools of a server: search, filter, many at once, and the list itself. The list is one stop for Tab; arrows move
// between tools, `/` searches. The keys work as soon as the list is there, wherever nothing else needs them.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { DiscoveryResult, Permission, ToolView } from "../../generated/types";
import { messages } from "../../i18n";
import { replaceRoute, route } from "../../state/route";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { Choice } from "../../ui/choice";
import { Empty } from "../../ui/empty";
import { Menu } from "../../ui/menu";
import { SearchField } from "../../ui/search-field";
import { useVirtualRows } from "../../ui/virtual-rows";
import { decideWithUndo } from "./decide";
import { FILTERS, filterTools, type Filter } from "./tool-filter";
import { PERMISSIONS, ToolRow } from "./tool-row";

const ROW_PX = 65;

interface Props {
  id: string;
  result: DiscoveryResult;
  scroller: { readonly current: HTMLElement | null };
}

export function ToolList({ id, result, scroller }: Props) {
  const { tools: texts } = messages.value;
  const [query, setQuery] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  // What a filter has shown stays shown while the person decides: a row must not vanish from under the keys.
  const kept = useRef<{ query: string; filter: Filter; names: Set<string> }>({
    query,
    filter,
    names: new Set(),
  });
  const { shown, counts } = useMemo(() => {
    if (kept.current.query !== query || kept.current.filter !== filter) {
      kept.current = { query, filter, names: new Set() };
    }
    const filtered = filterTools(result.tools, query, filter, kept.current.names);
    for (const tool of filtered.shown) kept.current.names.add(tool.nativeName);
    return filtered;
  }, [result.tools, query, filter]);
  const search = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || !isPlain(event) || !isFree(event.target, FIELDS)) return;
      event.preventDefault();
      search.current?.focus();
      search.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  const setShown = (permission: Permission) =>
    void decideWithUndo(
      id,
      new Map(shown.map((tool) => [tool.nativeName, permission])),
      texts.setDone(shown.length, texts.permissions[permission]),
    );

  if (result.tools.length === 0) {
    return (
      <Empty icon="list" title={texts.empty}>
        <p>{texts.emptyText}</p>
      </Empty>
    );
  }

  return (
    <section class="tools" aria-label={texts.title}>
      <div class="tools-bar">
        <SearchField
          label={texts.search}
          value={query}
          inputRef={search}
          onChange={setQuery}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown") return;
            event.preventDefault();
            scroller.current?.querySelector<HTMLElement>('.tool-list [data-part="open"][tabindex="0"]')?.focus();
          }}
        />
        {shown.length > 0 && (
          <Menu
            label={texts.setShown(shown.length, shown.length === result.tools.length)}
            text={texts.setShown(shown.length, shown.length === result.tools.length)}
            icon="list"
            items={PERMISSIONS.map((permission) => ({
              label: texts.setShownTo(shown.length, texts.permissions[permission]),
              icon: ({ off: "circleOff", ask: "hand", allow: "circleCheck" } as const)[permission],
              onSelect: () => setShown(permission),
            }))}
          />
        )}
        <div class="filter-line">
          <span class="filter-label" aria-hidden="true">
            {texts.filter}
          </span>
          <Choice
            class="filter"
            label={texts.filter}
            value={filter}
            options={FILTERS.map((value) => ({ value, label: texts.filters[value], count: counts[value] }))}
            onChange={(value) => setFilter(value)}
          />
        </div>
      </div>
      {shown.length === 0 ? (
        <div class="tools-none" role="status">
          <p>{texts.noneShown}</p>
          <Button
            onClick={() => {
              setQuery("");
              setFilter("all");
              search.current?.focus();
            }}
          >
            {texts.showAll}
          </Button>
        </div>
      ) : (
        <Rows
          id={id}
          tools={shown}
          scroller={scroller}
          label={texts.list}
          onDecide={(tool, permission) => {
            if (tool.permission === permission) return;
            const done = texts.oneDone(visible(tool.nativeName), texts.permissions[permission]);
            void decideWithUndo(id, new Map([[tool.nativeName, permission]]), done);
          }}
        />
      )}
      <p class="visually-hidden" role="status">
        {query !== "" && texts.matches(shown.length)}
      </p>
      {shown.length > 0 && <Keys />}
    </section>
  );
}

/** Which keys there are, for eyes: a screen reader has keys of its own. */
function Keys() {
  const { tools: texts } = messages.value;
  const keys = [
    ...PERMISSIONS.map((permission, at) => [[String(at + 1)], texts.permissions[permission]] as const),
    [["↑", "↓"], texts.keyMove] as const,
    [["/"], texts.keySearch] as const,
  ];
  return (
    <p class="keys" aria-hidden="true">
      <span>{texts.keys}</span>
      {keys.map(([names, does]) => (
        <span key={does}>
          {names.map((name) => (
            <kbd key={name}>{name}</kbd>
          ))}
          {does}
        </span>
      ))}
    </p>
  );
}

/** Where a key is text. */
const FIELDS = "input, textarea, select, .cm-editor, dialog";
/** Where a key of the list means something else, or could be pressed with something else in mind. */
const OWNERS = `${FIELDS}, [popover], [role=radiogroup], [role=tablist], .tool-list, .servers-pane`;

function isFree(target: EventTarget | null, owners: string): boolean {
  if (document.querySelector("dialog[open]")) return false;
  return !(target instanceof Element) || target.closest(owners) === null;
}

function isPlain(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey;
}

type RowPart = "open" | "choice";

/** Whether the row is there to take the focus. */
function focusRow(list: HTMLElement | null, index: number, part: RowPart): boolean {
  const row = list?.querySelector(`[data-index="${index}"]`);
  const target = row?.querySelector<HTMLElement>(
    part === "open" ? '[data-part="open"]' : '[role="radio"][aria-checked="true"]',
  );
  target?.focus({ preventScroll: true });
  return target !== undefined && target !== null;
}

interface RowsProps {
  id: string;
  tools: readonly ToolView[];
  scroller: { readonly current: HTMLElement | null };
  label: string;
  onDecide(tool: ToolView, permission: Permission): void;
}

function Rows({ id, tools, scroller, label, onDecide }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const [currentName, setCurrentName] = useState<string | undefined>(undefined);
  const focusNext = useRef<RowPart | undefined>(undefined);
  const openName = route.value.serverId === id ? route.value.toolName : undefined;
  const found = tools.findIndex((tool) => tool.nativeName === currentName);
  const current = found === -1 ? 0 : found;

  const rows = useVirtualRows({
    count: tools.length,
    scroller: () => scroller.current,
    keyOf: (index) => tools[index]?.nativeName ?? String(index),
    estimate: ROW_PX,
    keep: [current],
    margin,
    covered: 120,
  });

  // What stands above the list can grow and shrink; the list's place in the scrolled content follows.
  useLayoutEffect(() => {
    const pane = scroller.current;
    const content = list.current?.closest(".server-body");
    if (!pane || !content) return undefined;
    const measure = () => {
      if (!list.current) return;
      const top = list.current.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
      setMargin(Math.round(top));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(content);
    measure();
    return () => observer.disconnect();
  }, []);

  // A link to a tool opens with that tool in sight.
  useEffect(() => {
    const index = tools.findIndex((tool) => tool.nativeName === openName);
    if (index > 0) rows.scrollToIndex(index, { align: "start" });
  }, []);

  useLayoutEffect(() => {
    const part = focusNext.current;
    if (part === undefined) return;
    if (focusRow(list.current, current, part)) focusNext.current = undefined;
  });

  // Whoever comes here by a link or a press in the list of servers goes on with the tools.
  useEffect(() => {
    const at = document.activeElement;
    const nowhere = at === document.body || at?.matches(`[data-server="${CSS.escape(id)}"]`);
    if (!nowhere || document.querySelector("dialog[open]")) return;
    if (!document.querySelector(".servers-pane")?.checkVisibility()) return;
    focusRow(list.current, current, "open");
  }, []);

  // Keys pressed where nothing has a use for them are meant for the tools.
  const latest = useRef({ tools, current, onDecide });
  latest.current = { tools, current, onDecide };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isPlain(event) || !isFree(event.target, OWNERS)) return;
      const now = latest.current;
      const tool = now.tools[now.current];
      const permission = PERMISSIONS[["1", "2", "3"].indexOf(event.key)];
      if (!tool || (permission === undefined && event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
      event.preventDefault();
      rows.scrollToIndex(now.current, { align: "auto" });
      focusRow(list.current, now.current, "open");
      if (permission !== undefined) now.onDecide(tool, permission);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  // What opens near the lower edge is scrolled into sight, once it has its height: all of it, or its beginning right below
  // the bar, with nothing of the row before it in between.
  const showWhole = (index: number) => {
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const row = list.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
        const bar = list.current?.parentElement?.querySelector<HTMLElement>(".tools-bar");
        if (!row || !bar || row.getBoundingClientRect().bottom <= innerHeight) return;
        row.style.scrollMarginTop = `${bar.offsetHeight}px`;
        row.scrollIntoView({ block: "start" });
      }),
    );
  };

  const move = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const part: RowPart | undefined = target.closest('[role="radio"]')
      ? "choice"
      : target.closest('[data-part="open"]')
        ? "open"
        : undefined;
    if (part === undefined || !isPlain(event)) return;
    const to = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: tools.length - 1 }[event.key];
    const next = to === undefined ? undefined : tools[to];
    if (to === undefined) return;
    event.preventDefault();
    if (!next) return;
    focusNext.current = part;
    setCurrentName(next.nativeName);
    rows.scrollToIndex(to, { align: "auto" });
  };

  return (
    <div
      ref={list}
      class="tool-list"
      role="list"
      aria-label={label}
      style={{ height: `${rows.getTotalSize()}px` }}
      onKeyDown={move}
    >
      {rows.getVirtualItems().map(({ key, index, start }) => {
        const tool = tools[index];
        if (!tool) return null;
        const open = tool.nativeName === openName;
        return (
          <div
            key={key}
            ref={(element) => rows.measureElement(element)}
            data-index={index}
            role="listitem"
            aria-posinset={index + 1}
            aria-setsize={tools.length}
            class="tool-slot"
            style={{ transform: `translateY(${start - margin}px)` }}
            onFocusIn={() => setCurrentName(tool.nativeName)}
          >
            <ToolRow
              server={id}
              tool={tool}
              open={open}
              current={index === current}
              onToggle={() => {
                replaceRoute(open ? { serverId: id } : { serverId: id, toolName: tool.nativeName });
                if (!open) showWhole(index);
              }}
              onDecide={(permission) => onDecide(tool, permission)}
            />
          </div>
        );
      })}
    </div>
  );
}
