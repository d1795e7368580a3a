// All words in Chinese: one file of their own, which only a page in Chinese loads.

export { codesZh as codes } from "./codes.zh";
export { zh as messages } from "./zh";
