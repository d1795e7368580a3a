// One tool: its name, what it says about itself in a line, and Off/Ask/Allow. Keys 1, 2, 3 decide, wherever in the row
// the focus is.

import type { Permission, ToolView } from "../../generated/types";
import { messages } from "../../i18n";
import { Untrusted } from "../../text/untrusted";
import { visible } from "../../text/visible";
import { Choice } from "../../ui/choice";
import { Icon } from "../../ui/icon";
import { ToolDetails } from "./tool-details";
import { obstacles } from "./tool-filter";

export const PERMISSIONS: readonly Permission[] = ["off", "ask", "allow"];
const ICONS = { off: "circleOff", ask: "hand", allow: "circleCheck" } as const;

interface Props {
  /** Its server's registration id. */
  server: string;
  tool: ToolView;
  open: boolean;
  /** The row that Tab enters. */
  current: boolean;
  onToggle(): void;
  onDecide(permission: Permission): void;
}

export function ToolRow({ server, tool, open, current, onToggle, onDecide }: Props) {
  const { tools, descriptions } = messages.value;
  const name = visible(tool.nativeName);
  const subtitle = tool.override?.description || tool.description || tool.title;
  return (
    <div
      class={open ? "tool open" : "tool"}
      onKeyDown={(event) => {
        const permission = PERMISSIONS[["1", "2", "3"].indexOf(event.key)];
        if (permission === undefined || isField(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        onDecide(permission);
      }}
    >
      <div class="tool-head">
        <button
          type="button"
          class="tool-open"
          data-part="open"
          aria-expanded={open}
          tabIndex={current ? 0 : -1}
          onClick={onToggle}
        >
          <Icon name="chevron" />
          <span class="tool-words">
            <span class="tool-name">
              <Untrusted text={tool.nativeName} />
              {obstacles(tool).length > 0 && (
                <span class="tool-unready">
                  <Icon name="triangleAlert" size={14} />
                  {tools.unready}
                </span>
              )}
            </span>
            {!open && subtitle && (
              <span class="tool-line">
                {tool.override && (
                  <>
                    <Icon name="pencil" size={12} />
                    <span class="visually-hidden">{descriptions.mark}</span>
                  </>
                )}
                <Untrusted text={subtitle.slice(0, 240).replace(/\s+/g, " ")} />
              </span>
            )}
          </span>
        </button>
        <Choice
          class="permission"
          label={name}
          value={tool.permission}
          tabbable={current}
          iconOfChosen
          options={PERMISSIONS.map((value) => ({
            value,
            label: tools.permissions[value],
            icon: ICONS[value],
            hint: tools.permissionHelp[value],
          }))}
          onChange={onDecide}
        />
      </div>
      {open && <ToolDetails server={server} tool={tool} />}
    </div>
  );
}

/** Digits typed into a text are text. */
function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("textarea, input") !== null;
}
