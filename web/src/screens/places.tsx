// The two places of the page, at the head of its left pane: the one that is shown is its heading, the other a link.

import { messages } from "../i18n";
import { hrefOf } from "../state/route";

export function Places({ at }: { at: "servers" | "partners" }) {
  const { places } = messages.value;
  return (
    <div class="places">
      {(["servers", "partners"] as const).map((place) =>
        place === at ? (
          <h1 key={place} data-focus-fallback tabIndex={-1} aria-current="page">
            {places[place]}
          </h1>
        ) : (
          <a key={place} href={hrefOf(place === "servers" ? {} : { partnerId: "" })}>
            {places[place]}
          </a>
        ),
      )}
    </div>
  );
}
