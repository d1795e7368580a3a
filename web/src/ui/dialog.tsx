// A modal on the platform's `<dialog>`: focus is held inside and goes back where it came from. Escape, the close button
// and a press on the backdrop close it; what was typed lives in the page's state, so nothing is lost by that.

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { messages } from "../i18n";
import { IconButton } from "./button";

interface Props {
  title: ComponentChildren;
  onClose(): void;
  children: ComponentChildren;
  /** The actions, at the lower edge and always in view. */
  actions: ComponentChildren;
  wide?: boolean;
  /** There is more to read than to operate: the body takes the focus, so that keys scroll it. */
  reading?: boolean;
}

/** Gives the focus to the screen's heading. */
export function focusHeading(): void {
  const headings = [...document.querySelectorAll<HTMLElement>("[data-focus-fallback]")];
  headings.findLast((one) => one.checkVisibility())?.focus();
}

export function Dialog({ title, onClose, children, actions, wide = false, reading = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const pressedOutside = useRef(false);
  const gone = useRef(false);

  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    return () => {
      gone.current = true;
      element?.close();
      // The opener can be gone, as after a removal; then the screen's heading is the place to go on from.
      if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
      else focusHeading();
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      class={wide ? "dialog wide" : "dialog"}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        // The browser closes by itself on a repeated Escape. Our own closing reports here too, later, and is done with.
        if (!gone.current && event.target === event.currentTarget) onClose();
      }}
      onPointerDown={(event) => {
        pressedOutside.current = event.target === event.currentTarget;
      }}
      onClick={(event) => {
        // Both ends of the press: marking text and letting go outside is no wish to close.
        if (pressedOutside.current && event.target === event.currentTarget) onClose();
      }}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <IconButton icon="x" label={messages.value.common.close} onClick={onClose} />
        </header>
        <div class="dialog-body" tabIndex={reading ? 0 : undefined}>
          {children}
        </div>
        <footer class="dialog-foot">{actions}</footer>
      </div>
    </dialog>
  );
}
