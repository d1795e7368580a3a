// Buttons. One primary action a screen; destructive ones look apart and are confirmed by a dialog.

import type { ComponentChildren, JSX } from "preact";
import { Icon, Spinner, type IconName } from "./icon";

type Native = Omit<JSX.IntrinsicElements["button"], "icon" | "ref">;

interface Props extends Native {
  kind?: "primary" | "plain" | "quiet" | "danger";
  icon?: IconName;
  /** Under way: shows progress in place; presses are ignored, focus stays. */
  busy?: boolean;
  buttonRef?: (element: HTMLButtonElement | null) => void;
  children?: ComponentChildren;
}

export function Button({ kind = "plain", icon, busy = false, buttonRef, children, onClick, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      {...(buttonRef && { ref: buttonRef })}
      class={`button ${kind} ${rest.class ?? ""}`}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} />}
      {children && <span>{children}</span>}
    </button>
  );
}

interface IconButtonProps extends Native {
  icon: IconName;
  label: string;
}

/** A button that is an icon alone; the label is read out and shown on hover. */
export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} class={`icon-button ${rest.class ?? ""}`} aria-label={label}>
      <Icon name={icon} size={18} />
    </button>
  );
}
