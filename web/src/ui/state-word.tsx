// What a server is at, as a word and an icon.

import type { CatalogState } from "../state/catalogs";
import type { ServerSummary } from "../generated/types";
import { messages } from "../i18n";
import { Icon, Spinner } from "./icon";

export function StateWord({ server, catalog }: { server: ServerSummary; catalog: CatalogState }) {
  const { status } = messages.value;
  if (catalog.reading) {
    return (
      <span class="state working">
        <Spinner size={14} />
        {status.reading}
      </span>
    );
  }
  return server.state === "active" ? (
    <span class="state active">
      <Icon name="circleCheck" size={14} />
      {status.active}
    </span>
  ) : (
    <span class="state paused">
      <Icon name="circlePause" size={14} />
      {status.paused}
    </span>
  );
}
