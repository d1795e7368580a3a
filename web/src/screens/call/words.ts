// The test call's words in the language in force.

import { computed } from "@preact/signals";
import { language } from "../../state/preferences";
import { callEn } from "./words.en";
import { callZh } from "./words.zh";

export const words = computed(() => (language.value === "zh" ? callZh : callEn));
