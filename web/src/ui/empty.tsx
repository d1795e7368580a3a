// A place with nothing in it yet: says so, and what can be done.

import type { ComponentChildren } from "preact";
import { Icon, Spinner, type IconName } from "./icon";

interface Props {
  icon: IconName | "spinner";
  title: string;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}

export function Empty({ icon, title, children, actions }: Props) {
  return (
    <div class="empty">
      <div class="empty-icon">{icon === "spinner" ? <Spinner size={24} /> : <Icon name={icon} size={24} />}</div>
      <h2>{title}</h2>
      {children}
      {actions && <div class="empty-actions">{actions}</div>}
    </div>
  );
}
