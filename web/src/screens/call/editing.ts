// What a field of the form does to the arguments: an edit of their JSON text, made by core.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { numberOrText, removeAt, setAt, type ArgumentsWarning, type FormNode, type ToolForm } from "../../core/schema";
import type { TestCall } from "../../state/test-calls";

/** How the fields of one form change its arguments. */
export interface Editing {
  set(path: string, json: string): void;
  setNumber(node: FormNode, text: string): void;
  remove(path: string): void;
  choose(path: string, alternative: number): void;
  /** Shows a place in the JSON beside the form, ready to be edited. */
  goTo(path: string): void;
  warningsAt(path: string): readonly ArgumentsWarning[];
}

export const EditingContext = createContext<Editing | undefined>(undefined);

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (!editing) throw new Error("A field stands outside of its form.");
  return editing;
}

export function editingOf(
  call: TestCall,
  form: ToolForm,
  warnings: ReadonlyMap<string, readonly ArgumentsWarning[]>,
  goTo: (path: string) => void,
): Editing {
  const change = (edited: string | undefined) => {
    if (edited !== undefined) call.text.value = edited;
  };
  const set = (path: string, json: string) => change(setAt(call.text.peek(), path, json));
  const remove = (path: string) => change(removeAt(call.text.peek(), path));
  return {
    set,
    remove,
    setNumber: (node, text) => {
      // A member without a number is not sent; an item of a list has to be something.
      if (text.trim() === "" && node.name !== undefined) remove(node.path);
      else set(node.path, numberOrText(text));
    },
    choose: (path, alternative) => {
      const edited = form.choose(call.text.peek(), call.choices.peek(), path, alternative);
      call.choices.value = { ...call.choices.peek(), [path]: alternative };
      change(edited);
    },
    goTo,
    warningsAt: (path) => warnings.get(path) ?? [],
  };
}
