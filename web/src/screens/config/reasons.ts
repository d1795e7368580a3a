// What core found, in the person's language with its particulars: core's own sentence is in English, and its reason says the
// same as a case and names. Loaded with the dialogs that read JSON.

import type { Diagnostic, ReasonCase } from "../../generated/types";
import { codeText, explain, messages, type Explained } from "../../i18n";

type Sentence = string | ((first: string, second: string) => string);

const FOUND: Readonly<Record<string, string>> = {
  text: "文本",
  number: "数字",
  object: "对象",
  list: "列表",
  byte_order_mark: "字节顺序标记",
  fence: "Markdown 代码围栏",
  comments: "注释",
  trailing_commas: "末尾逗号",
};
const found = (name: string): string => FOUND[name] ?? name;

const zh: Readonly<Record<ReasonCase, Sentence>> = {
  comma_missing: "这里缺少逗号。",
  colon_missing: "键之后应为冒号和值。",
  value_missing: "冒号之后缺少值。",
  key_wanted: '这里应为双引号中的键（如 "url"），或结束对象的 }。',
  bare_word: "这个词不是 JSON 值。文本须写在双引号中；可以直接书写的只有 true、false 和 null。",
  out_of_place: "这段内容不应出现在这里。文本须写在双引号中。",
  more_follows: "JSON 在此之前已结束，后面还有内容。请只粘贴一个对象；多个对象请用 { } 包起来。",
  comma_too_many: "多了一个逗号，或逗号之前缺少值。",
  colon_too_many: "这个冒号前没有键。",
  brace_too_many: "这个 } 没有对应的 {，或它之前缺少值。",
  bracket_too_many: "这个 ] 没有对应的 [，或它之前缺少值。",
  object_open: "从这个 { 开始的对象没有结束。",
  list_open: "从这个 [ 开始的列表没有结束。",
  comment_open: "从这里开始的注释没有以 */ 结束。",
  text_open: "从这个双引号开始的文本没有在本行结束；文本中的换行请写作 \\n。",
  fence_open: "从这里开始的 Markdown 代码围栏没有单独成行的结尾；请删除它，或粘贴完整的代码块。",
  escape_invalid:
    '这不是完整有效的 JSON 转义。反斜杠之后只能是 " \\ / b f n r t，或 u 加四位十六进制数字；反斜杠本身写作 \\\\。',
  quotes_invalid: 'JSON 只使用直的双引号 "。',
  number_invalid: "这不是 JSON 格式的数字。",
  full_width: "这是全角标点；JSON 使用半角的逗号和冒号。",
  character_invalid: "这里有一个 JSON 不允许的字符，可能不可见。请删除它或重新输入。",
  text_wanted: (what) => `这里是${found(what)}，应为双引号中的文本。`,
  list_wanted: (what) => `这里是${found(what)}，应为列表，如 ["-y", "some-package"]。`,
  object_wanted: (what) => `这里是${found(what)}，应为 { } 中的对象，请对照示例。`,
  transport_wanted: (what) => `这里是${found(what)}，应为 "http" 或 "stdio"，也可以省略。`,
  said_twice: (first, second) => `${first} 和 ${second} 含义重复，请只保留一个。`,
  read_as: (name, other) => `${name} 按 ${other} 读取。`,
  passed_over: "已忽略：",
  tools_start_off: "每个工具起初都是关闭的；读取工具之后由你逐一决定。",
  no_sign_in: "Toolgate 不支持 OAuth 登录；如有需要，请添加 Authorization 之类的请求头。",
  header_instead: '请写成请求头："headers": {"Authorization": "Bearer …"}，或按服务器文档的说明。',
  headers_here: "Toolgate 不从自身环境或程序读取请求头，请写在 headers 中。",
  variables_here: "Toolgate 不从文件或自身环境读取变量，请写在 env 中。",
  no_inputs: "Toolgate 不会询问输入值，请在 ${input:…} 处直接填写。",
  own_time_limits: "Toolgate 有自己的时间限制。",
  name_is_key: "服务器的名称就是它的键。",
  meant: (name) => `如果你指的是 ${name}，请这样拼写。`,
  is_null: "它的值为 null，视为未填写。",
  for_command: "它只用于以命令启动的服务器；有 url 的服务器不在这里启动。",
  for_url: "它只用于有 url 的服务器；命令请使用 env。",
};

/** Like `explain`, with the particulars in other languages too where core gives a reason. */
export function explainReason(item: Pick<Diagnostic, "code" | "message" | "reason">): Explained {
  const { code, message, reason } = item;
  const sentence = reason && zh[reason.case];
  if (messages.value.locale === "en" || message === "" || sentence === undefined) return explain(item);
  const [first = "", second = ""] = reason?.names ?? [];
  const next =
    reason?.case === "passed_over"
      ? `${sentence as string}${reason.names?.map(found).join("、") ?? ""}。`
      : typeof sentence === "string"
        ? sentence
        : sentence(first, second);
  return { what: codeText(code)[0], next, detail: "" };
}
