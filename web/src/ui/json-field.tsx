// A field for JSON: the editor where it is loaded, a plain text area before that and where it cannot be loaded.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { EditorMark, JsonEditor } from "../editor/json-editor";
import { Echoes } from "./echoes";

interface Props {
  label: string;
  hint: string;
  describedBy: string;
  value: string;
  marks: readonly EditorMark[];
  onChange(value: string): void;
  /** Given once the field can move its cursor. */
  editorRef: { current: Pick<JsonEditor, "goTo"> | null };
}

export function JsonField({ label, hint, describedBy, value, marks, onChange, editorRef }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const [editor, setEditor] = useState<JsonEditor | undefined>(undefined);
  /** The person was in the text area when the editor took its place. */
  const hadFocus = useRef(false);
  const echoes = useRef(new Echoes());
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };

  useEffect(() => {
    let made: JsonEditor | undefined;
    let gone = false;
    editorRef.current = { goTo: () => area.current?.focus() };
    import("../editor/json-editor").then(
      ({ createJsonEditor }) => {
        if (gone || !host.current) return;
        hadFocus.current = document.activeElement === area.current;
        made = createJsonEditor({
          parent: host.current,
          text: latest.current.value,
          label,
          hint,
          describedBy,
          onChange: (text) => {
            echoes.current.sent(text);
            latest.current.onChange(text);
          },
        });
        editorRef.current = made;
        setEditor(made);
      },
      () => undefined, // The text area stays.
    );
    return () => {
      gone = true;
      editorRef.current = null;
      made?.destroy();
    };
  }, []);

  // Only now is it shown: what is hidden takes no focus.
  useLayoutEffect(() => {
    if (hadFocus.current) editor?.goTo(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  }, [editor]);

  useEffect(() => {
    if (!echoes.current.isEcho(value)) editor?.setText(value);
  }, [editor, value]);
  useEffect(() => editor?.mark(marks), [editor, marks]);

  return (
    <div class="json-field">
      <div ref={host} hidden={!editor} />
      {!editor && (
        <textarea
          ref={area}
          aria-label={label}
          aria-describedby={describedBy}
          placeholder={hint}
          spellcheck={false}
          autofocus
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
