// The test call's words in the language in force.

import { computed } from "@preact/signals";
import { spoken } from "../../i18n";
import { callEn } from "./words.en";
import { callZh } from "./words.zh";

export const words = computed(() => (spoken.value === "zh" ? callZh : callEn));
