import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateTokens, maxEstimateError, minEstimateShare } from "../protocol/token-estimate.ts";
import { call, reply, result, user } from "./testing/message-builders.ts";
import { createTokenCounter } from "./token-counter.ts";

const exact = createTokenCounter();
const isLoaded = await exact.load();

test("the tokenizer counts once it is loaded, and not before", async () => {
  let loads = 0;
  const counter = createTokenCounter({
    loadEncoding: async () => {
      loads += 1;
      return () => 7;
    },
  });
  expect([counter.isExact, counter.countText("eight by"), loads]).toEqual([false, 2, 0]);
  await Promise.all([counter.load(), counter.load()]);
  expect([counter.isExact, counter.countText("eight by"), loads]).toEqual([true, 7, 1]);
});

test("a tokenizer that cannot be loaded leaves estimates", async () => {
  const counter = createTokenCounter({ loadEncoding: () => Promise.reject(new Error("no such module")) });
  expect([await counter.load(), counter.isExact, counter.countText("abcd")]).toEqual([false, false, 1]);
});

test("a tokenizer that throws is replaced by the estimate", async () => {
  const counter = createTokenCounter({
    loadEncoding: async () => () => {
      throw new Error("disallowed");
    },
  });
  await counter.load();
  expect(counter.countText("abcdefgh")).toBe(2);
});

test("counts are those of o200k_base", () => {
  expect([isLoaded, exact.countText("Hello, world!"), exact.countText("")]).toEqual([true, 4, 0]);
});

test.each([
  ["lines of dashes", `${"-".repeat(118)}\n`.repeat(300)],
  ["a padded table", `| ${" ".repeat(60)} | ${" ".repeat(60)} |\n`.repeat(300)],
  ["one character", "=".repeat(40_000)],
  ["spaces", " ".repeat(40_000)],
  ["lines of spaces", `${" ".repeat(127)}\n`.repeat(300)],
])("no text has fewer tokens than the least share of its estimate: %s", (_, text) => {
  expect(exact.countText(text)).toBeGreaterThan(estimateTokens(text) * minEstimateShare);
});

test("special tokens in a text are counted as plain text", () => {
  expect(exact.countText("<|endoftext|><|im_start|>system<|fim_prefix|>")).toBeGreaterThan(5);
});

test("long runs of one class of characters are sliced and give the same count", () => {
  expect(exact.countText("a".repeat(100_000))).toBe(12_500);
  for (const piece of [" ", "\n", "-", "中", "é", "\u0301", "😀", "\ud800", "aB"])
    expect(exact.countText(piece.repeat(30_000))).toBeGreaterThan(0);
});

test("a run inside a text is sliced without losing the text around it", () => {
  const counted = exact.countText(`before ${"x".repeat(2_000)} after`);
  expect(counted).toBe(exact.countText("before ") + exact.countText("x".repeat(2_000)) + exact.countText(" after"));
});

test("huge texts are counted by samples, near the exact count", () => {
  const line = '{"id": 12345, "name": "a row of a table", "isOpen": true},\n';
  const many = 20_000;
  const counted = exact.countText(line.repeat(many));
  const perLine = exact.countText(line.repeat(100)) / 100;
  expect(Math.abs(counted / (perLine * many) - 1)).toBeLessThan(0.05);
});

test("no text makes it throw, and every text that is not empty has tokens", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 400 }),
      (text) => exact.countText(text) >= (text === "" ? 0 : 1),
    ),
  );
});

test("the tokenizer reads each message once", async () => {
  let counted = 0;
  const counter = createTokenCounter({
    loadEncoding: async () => (text) => {
      counted += 1;
      return text.length;
    },
  });
  const message = user("u", "four");
  expect([counter.countMessage(message), counter.countMessage(message)]).toEqual([5, 5]);
  await counter.load();
  expect([counter.countMessage(message), counter.countMessage(message), counted]).toEqual([8, 8, 1]);
});

test("a shortened copy with the same id has a count of its own", () => {
  const message = user("u", "a long text ".repeat(50));
  expect(exact.countMessage({ ...message, text: "short" })).toBeLessThan(exact.countMessage(message));
});

test("calls count with the JSON of their input, thinking with its provider metadata", () => {
  const counter = createTokenCounter();
  const input = { path: "x".repeat(400) };
  const bare = counter.countMessage(reply("r", [call("c")]));
  expect(counter.countMessage(reply("r", [call("c", input)])) - bare).toBe(estimateTokens(JSON.stringify(input)) - 1);
  expect(
    counter.countMessage(
      reply("r", [{ type: "thinking", text: "", providerMetadata: { signature: "s".repeat(400) } }]),
    ),
  ).toBeGreaterThan(100);
  expect(counter.countMessage(result("c", "x".repeat(400)))).toBe(112);
});

test("input that has no JSON is counted too (FAULTS 37)", () => {
  const counter = createTokenCounter();
  let deep: Record<string, unknown> = { end: "x".repeat(40_000) };
  for (let depth = 0; depth < 100_000; depth += 1) deep = { deep };
  const cycle: Record<string, unknown> = { big: 10n };
  cycle["self"] = cycle;
  const proto: unknown = JSON.parse('{"__proto__": {"constructor": "x"}}');
  expect(counter.countMessage(reply("r", [call("c", deep)]))).toBeGreaterThan(10_000);
  expect(counter.countMessage(reply("r", [call("c", cycle), call("d", { proto })]))).toBeGreaterThan(0);
  expect(
    counter.countMessage(reply("r", [{ type: "call", id: "c", tool: "read", input: undefined, problem: "no JSON" }])),
  ).toBeGreaterThan(0);
});

/** Pieces of text, and how many tokens each has for one of the estimate. */
const pieces: Readonly<Record<string, readonly [text: string, atMost: number]>> = {
  English: ["The sheep of the meadow went over the hill, and the dog went after them. ", 1.2],
  Chinese: ["牧羊犬把羊群从山上赶回家，最后一只羊关上了门。今天的天气很好。", 1.2],
  Japanese: ["牧羊犬は羊の群れを丘から家へ連れて帰りました。今日はとても良い天気です。", 1.2],
  Korean: ["양치기 개가 양 떼를 언덕에서 집으로 데려왔습니다. 오늘은 날씨가 좋습니다. ", 1.2],
  Russian: ["Пастушья собака привела стадо овец домой с холма. Сегодня хорошая погода. ", 1],
  Arabic: ["أعاد كلب الراعي قطيع الأغنام من التل إلى المنزل. الطقس جميل اليوم. ", 1],
  emoji: ["🐑🐕‍🦺🏔️", maxEstimateError],
  "control characters": ["\u0001\u0002\u0003\u0005", maxEstimateError],
  "rare characters": ["𠜎𠜱𠝹𠱓𠱸𠲖𠳏", maxEstimateError],
};

test.each(Object.entries(pieces))("the estimate of %s is not far below the exact count", (_, [text, atMost]) => {
  const long = text.repeat(50);
  const share = exact.countText(long) / estimateTokens(long);
  expect(share).toBeLessThanOrEqual(atMost);
  expect(share).toBeGreaterThan(0.5);
});
