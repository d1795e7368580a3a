// Sentences in one text: a space between English ones, none after Chinese punctuation.

import assert from "node:assert/strict";
import { test } from "node:test";

import { gapAfter, sentences } from "../src/i18n/sentences.ts";

test("English sentences have a space between them", () => {
  assert.equal(sentences("One.", "Two?", "Three"), "One. Two? Three");
  assert.equal(sentences("It takes long…", "You can close this."), "It takes long… You can close this.");
  assert.equal(sentences("It is called “docs.”", "It is gone."), "It is called “docs.” It is gone.");
});

test("no space follows Chinese punctuation, whatever the language of what comes next", () => {
  assert.equal(sentences("已保存。", "请重新读取。"), "已保存。请重新读取。");
  assert.equal(sentences("要继续吗？", "可以！", "名称（可选）", "完"), "要继续吗？可以！名称（可选）完");
  assert.equal(sentences("没有匹配的“文档。”", "请重试。"), "没有匹配的“文档。”请重试。");
  assert.equal(sentences("正在读取…", "可以关闭。"), "正在读取…可以关闭。");
  assert.equal(sentences("无法读取。", "Connection refused."), "无法读取。Connection refused.");
});

test("English before Chinese, and Chinese without punctuation, keep the space", () => {
  assert.equal(sentences("Connection refused.", "请重试。"), "Connection refused. 请重试。");
  assert.equal(sentences("默认值", "5"), "默认值 5");
});

test("what is empty or not said leaves no gap", () => {
  assert.equal(sentences("", "One.", undefined, "", "Two.", false), "One. Two.");
  assert.equal(sentences(undefined, false), "");
  assert.equal(gapAfter(""), "");
});
