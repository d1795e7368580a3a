// Whether there is room for two things beside each other in the right pane.

import { signal } from "@preact/signals";

const query = matchMedia("(min-width: 1200px)");
export const wide = signal(query.matches);
query.addEventListener("change", () => (wide.value = query.matches));
