// A menu on the platform's popover: closes on Escape and on a press elsewhere; arrows move, Home and End jump.

import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon";

export interface MenuItem {
  label: string;
  icon: IconName;
  danger?: boolean;
  onSelect(): void;
}

interface Props {
  label: string;
  items: readonly MenuItem[];
  /** Words on the button in place of the dots. */
  text?: string;
  icon?: IconName;
}

export function Menu({ label, items, text, icon = "ellipsis" }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  // The items are in the document only while they are shown: a long list has many menus.
  useLayoutEffect(() => {
    if (!open) return;
    place();
    menu.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [open]);

  const place = () => {
    if (!button.current || !menu.current) return;
    const from = button.current.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = menu.current;
    const below = from.bottom + 4 + height <= innerHeight || from.top < height;
    menu.current.style.left = `${Math.max(8, Math.min(from.right - width, innerWidth - width - 8))}px`;
    menu.current.style.top = `${below ? from.bottom + 4 : from.top - 4 - height}px`;
  };

  const move = (event: KeyboardEvent) => {
    const all = [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = all.findIndex((item) => item === document.activeElement);
    const to =
      event.key === "ArrowDown"
        ? at + 1
        : event.key === "ArrowUp"
          ? at - 1 + all.length
          : event.key === "Home"
            ? 0
            : event.key === "End"
              ? all.length - 1
              : undefined;
    if (event.key === "Tab") menu.current?.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    all[to % all.length]?.focus();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        class={text === undefined ? "icon-button" : "button plain"}
        aria-label={text === undefined ? label : undefined}
        title={text === undefined ? label : undefined}
        aria-haspopup="menu"
        popovertarget={id}
      >
        <Icon name={icon} size={text === undefined ? 18 : 16} />
        {text !== undefined && <span>{text}</span>}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        class="menu"
        onKeyDown={move}
        onFocusOut={({ relatedTarget: to }) => {
          // The button closes it by itself.
          if (to instanceof Node && to !== button.current && !menu.current?.contains(to)) menu.current?.hidePopover();
        }}
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {open &&
          items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={item.danger ? "danger" : ""}
              onClick={() => {
                menu.current?.hidePopover();
                item.onSelect();
              }}
            >
              <Icon name={item.icon} />
              <span>{item.label}</span>
            </button>
          ))}
      </div>
    </>
  );
}
