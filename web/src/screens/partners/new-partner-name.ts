// The name typed for a new partner: closing the dialog, by whatever way, does not lose it.

import { signal } from "@preact/signals";

export const newPartnerName = signal("");
