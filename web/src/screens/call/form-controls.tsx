// The fields of the form, by the kind of value. Numbers are text here: what is typed goes into the JSON as it is spelled.

import { useRef, useState } from "preact/hooks";
import type { FormControl, FormNode } from "../../core/schema";
import { visible } from "../../text/visible";
import { Button } from "../../ui/button";
import { useEditing } from "./editing";
import { Place } from "./form-place";
import { words } from "./words";

type Of<Kind extends FormControl["kind"]> = Extract<FormControl, { kind: Kind }>;

interface Props {
  node: FormNode;
  id: string;
  label: string;
  describedBy: string;
}

/** Fields of one object that are shown at once. */
const SHOWN_FIELDS = 40;

export function Control({ node, id, label, describedBy }: Props) {
  const editing = useEditing();
  const texts = words.value;
  const { control } = node;
  const attributes = { id, "aria-describedby": describedBy, "aria-required": node.required || undefined };
  switch (control.kind) {
    case "text":
      return (
        <textarea
          {...attributes}
          class="arg-text"
          rows={1}
          spellcheck={false}
          placeholder={texts.notSent}
          value={control.text ?? ""}
          onInput={(event) => editing.set(node.path, JSON.stringify(event.currentTarget.value))}
        />
      );
    case "number":
      return (
        <input
          {...attributes}
          type="text"
          inputMode="decimal"
          class="arg-number"
          autocomplete="off"
          placeholder={texts.notSent}
          value={control.text ?? ""}
          onInput={(event) => editing.setNumber(node, event.currentTarget.value)}
        />
      );
    case "options":
      return <Options node={node} control={control} attributes={attributes} />;
    case "null":
      return node.present ? (
        <p class="muted" id={id}>
          {texts.null}
        </p>
      ) : (
        <Button kind="plain" id={id} onClick={() => editing.set(node.path, "null")}>
          {texts.addObject(label)}
        </Button>
      );
    case "object":
      return <ObjectFields node={node} control={control} label={label} />;
    case "list":
      return <ListItems node={node} control={control} label={label} />;
    case "json":
      return null;
  }
}

interface OptionsProps {
  node: FormNode;
  control: Of<"options">;
  attributes: { id: string; "aria-describedby": string };
}

function Options({ node, control, attributes }: OptionsProps) {
  const editing = useEditing();
  const texts = words.value;
  const isItem = node.name === undefined;
  // Texts stand without their quotes where nothing else is among them.
  const onlyTexts = control.options.every(({ json }) => json.startsWith('"'));
  const name = (json: string) => visible(onlyTexts ? String(JSON.parse(json)) : json);
  const none = node.unfittingJson === undefined ? (node.required ? texts.choose : texts.leaveOut) : undefined;
  return (
    <>
      <select
        {...attributes}
        class="arg-options"
        value={control.selected === undefined ? "" : String(control.selected)}
        onChange={(event) => {
          const option = control.options[Number(event.currentTarget.value)];
          if (event.currentTarget.value === "") editing.remove(node.path);
          else if (option) editing.set(node.path, option.json);
        }}
      >
        {(!isItem || control.selected === undefined) && (
          <option value="">{none ?? visible(node.unfittingJson ?? "")}</option>
        )}
        {control.options.map(({ json, title }, at) => (
          <option key={at} value={String(at)}>
            {title === undefined ? name(json) : `${visible(title)} (${name(json)})`}
          </option>
        ))}
      </select>
      {control.left > 0 && <p class="hint">{texts.moreOptions(control.left)}</p>}
    </>
  );
}

interface GroupProps<Kind extends "object" | "list"> {
  node: FormNode;
  control: Of<Kind>;
  label: string;
}

function ObjectFields({ node, control, label }: GroupProps<"object">) {
  const editing = useEditing();
  const texts = words.value;
  if (!control.open) {
    return (
      <Button icon="plus" onClick={() => editing.set(node.path, control.initial)}>
        {texts.addObject(label)}
      </Button>
    );
  }
  return (
    <div class="arg-fields">
      {control.fields.length === 0 && node.present && <p class="muted">{texts.emptyObject}</p>}
      <Fields fields={control.fields} />
      {control.newMember !== undefined && <NewMember node={node} control={control} initial={control.newMember} />}
    </div>
  );
}

/** The fields of an object, the first ones of many at once. */
export function Fields({ fields }: { fields: readonly FormNode[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? fields : fields.slice(0, SHOWN_FIELDS);
  return (
    <>
      {shown.map((field) => (
        <Place key={field.name === undefined ? "rest" : field.path} node={field} label={visible(field.name ?? "")} />
      ))}
      {shown.length < fields.length && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {words.value.showAll(fields.length)}
        </Button>
      )}
    </>
  );
}

interface NewMemberProps {
  node: FormNode;
  control: Of<"object">;
  initial: string;
}

export function NewMember({ node, control, initial }: NewMemberProps) {
  const editing = useEditing();
  const texts = words.value;
  const [name, setName] = useState("");
  const place = useRef<HTMLDivElement>(null);
  const isRoot = node.path === "";
  const memberName = isRoot ? texts.argumentName : texts.memberName;
  const taken = control.fields.some((field) => field.name === name && field.present);
  const add = () => {
    if (name === "" || taken) return;
    const path = `${node.path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    editing.set(path, initial);
    setName("");
    focusSoon(() =>
      place.current?.parentElement?.querySelector(
        `[data-path="${CSS.escape(path)}"] :is(input, textarea, select, button)`,
      ),
    );
  };
  return (
    <div class="arg-new" ref={place}>
      <input
        type="text"
        aria-label={memberName}
        placeholder={memberName}
        autocomplete="off"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          add();
        }}
      />
      <Button icon="plus" disabled={name === "" || taken} onClick={add}>
        {isRoot ? texts.addArgument : texts.addMember}
      </Button>
      {taken && <p class="hint">{isRoot ? texts.argumentTaken : texts.memberTaken}</p>}
    </div>
  );
}

function ListItems({ node, control, label }: GroupProps<"list">) {
  const editing = useEditing();
  const texts = words.value;
  const place = useRef<HTMLDivElement>(null);
  const focusAdd = () => focusSoon(() => place.current?.querySelector("[data-add]"));
  return (
    <div class="arg-fields" ref={place}>
      {control.items.length === 0 && node.present && <p class="muted">{texts.emptyList}</p>}
      {control.items.map((item, at) => (
        <Place key={at} node={item} label={label} index={at + 1} onRemoved={focusAdd} />
      ))}
      {control.newItem !== undefined && (
        <Button
          icon="plus"
          data-add
          aria-label={texts.addItemTo(label)}
          onClick={() => {
            const item = control.newItem ?? "null";
            if (control.items.length > 0) editing.set(control.next, item);
            else editing.set(node.path, `[${item}]`);
            focusSoon(() =>
              place.current?.querySelector(`[data-path="${CSS.escape(control.next)}"] :is(input, textarea, select)`),
            );
          }}
        >
          {texts.addItem}
        </Button>
      )}
    </div>
  );
}

/** Goes on at what an edit has made, once it is there. */
function focusSoon(find: () => Element | null | undefined): void {
  requestAnimationFrame(() => {
    const element = find();
    if (element instanceof HTMLElement) element.focus();
  });
}
