// The JSON editor: CodeMirror with marks at the lines at fault. A chunk of its own, loaded when it is needed. Tab leaves
// the editor, as everywhere on the page.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic as Mark } from "@codemirror/lint";
import { Annotation, EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Something to mark, at a line and column counted from 1, the column in UTF-16 units. */
export interface EditorMark {
  line: number;
  column: number;
  severity: "error" | "warning" | "info";
  text: string;
}

export interface JsonEditor {
  mark(marks: readonly EditorMark[]): void;
  /** Replaces the text. Not told to `onChange`, which is for what a person does. */
  setText(text: string): void;
  goTo(line: number, column: number): void;
  destroy(): void;
}

export interface EditorOptions {
  parent: HTMLElement;
  text: string;
  label: string;
  hint: string;
  describedBy: string;
  onChange(text: string): void;
}

/** On a change that came from outside the editor. */
const fromOutside = Annotation.define<boolean>();

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--code-key)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-value)" },
]);

export function createJsonEditor(options: EditorOptions): JsonEditor {
  const nonce = document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? "";
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        json(),
        indentUnit.of("  "),
        indentOnInput(),
        bracketMatching(),
        syntaxHighlighting(highlight),
        lineNumbers(),
        lintGutter(),
        EditorView.lineWrapping,
        placeholder(options.hint),
        EditorView.contentAttributes.of({
          "aria-label": options.label,
          "aria-describedby": options.describedBy,
          // It scrolls, and is to be reached by keys also where nothing else in it can be.
          tabindex: "0",
          spellcheck: "false",
          autocapitalize: "off",
        }),
        EditorView.updateListener.of((update) => {
          const typed = !update.transactions.some((transaction) => transaction.annotation(fromOutside));
          if (update.docChanged && typed) options.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });

  const positionOf = (line: number, column: number) => {
    const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
    return { line: at, position: Math.min(at.from + Math.max(column - 1, 0), at.to) };
  };

  return {
    mark(marks) {
      const diagnostics = marks.map(({ line, column, severity, text }): Mark => {
        const { line: at, position } = positionOf(line, column);
        const word = /^("(?:[^"\\]|\\.)*"?|[\w.+-]+|.)/.exec(at.text.slice(position - at.from));
        const to = Math.min(position + (word?.[0].length ?? 0), at.to);
        return { from: position, to, severity, message: text };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    setText(text) {
      if (text === view.state.doc.toString()) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: fromOutside.of(true),
      });
    },
    goTo(line, column) {
      const { position } = positionOf(line, column);
      view.dispatch({ selection: { anchor: position }, scrollIntoView: true });
      view.focus();
    },
    destroy() {
      view.destroy();
    },
  };
}
