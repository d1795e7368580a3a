// Words of adding a server alone, loaded with its dialog.

import { wordsOf } from "../../i18n/words";

const en = {
  pasted: {
    http: "This is an address and no JSON. The form takes it as it is.",
    stdio: "This is a command and no JSON. The form takes it as it is.",
  },
  toForm: "Put it in the form",
};

type Words = typeof en;

const zh: Words = {
  pasted: {
    http: "这是网址，不是 JSON。可以直接填入表单。",
    stdio: "这是命令，不是 JSON。可以直接填入表单。",
  },
  toForm: "填入表单",
};

export const words = wordsOf<Words>({ en, zh });
