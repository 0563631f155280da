import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutThinking } from "./plain-reply.ts";
import { shortenMessage, shortenText } from "./shortened-message.ts";
import { call, reply, result, user } from "./testing/message-builders.ts";
import { createTokenCounter } from "./token-counter.ts";

const counter = createTokenCounter();

test("a text that fits stays as it is", () => {
  expect(shortenText("short", 10, counter)).toBe("short");
});

test("a long text keeps its head and its tail and says how much is missing between them", () => {
  const short = shortenText(`BEGIN ${"x".repeat(4_000)} END`, 50, counter);
  expect(short).toMatch(/^BEGIN x+\n\[… \d+ characters left out to fit the context …\]\nx+ END$/);
  const [, missing] = /(\d+) characters/.exec(short) ?? [];
  expect(short.replace(/\n\[.*\]\n/, "").length + Number(missing)).toBe(4_010);
});

test("a cut never goes through a character (trap 18)", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 300 }),
      (tokens) => !/\p{Surrogate}/u.test(shortenText("😀".repeat(1_000), tokens, counter)),
    ),
  );
});

test("a shortened text never exceeds its limit, if the limit has room for the note", () => {
  const texts = fc.string({ unit: "grapheme", maxLength: 3_000 });
  fc.assert(
    fc.property(
      texts,
      fc.integer({ min: 20, max: 500 }),
      (text, tokens) => counter.countText(shortenText(text, tokens, counter)) <= tokens,
    ),
  );
});

test("shortening a second time changes nothing", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 1, max: 500 }), (length, tokens) => {
      const short = shortenMessage(result("c", "word ".repeat(length)), tokens, counter);
      return shortenMessage(short, tokens, counter) === short;
    }),
  );
});

test("a call keeps its short arguments when a long one is cut", () => {
  const long = reply("r", [call("c", { path: "src/a.ts", content: "x".repeat(40_000) }, "write")]);
  const short = shortenMessage(long, 200, counter);
  expect(counter.countMessage(short)).toBeLessThanOrEqual(200);
  expect(short).toMatchObject({
    parts: [
      { id: "c", tool: "write", input: { path: "src/a.ts", content: expect.stringContaining("characters left out") } },
    ],
  });
});

test("a call of many small arguments is cut as a whole and stays the same call", () => {
  const rows = Array.from({ length: 2_000 }, (_, row) => ({ row }));
  const short = shortenMessage(reply("r", [call("c", { rows })]), 200, counter);
  expect(counter.countMessage(short)).toBeLessThanOrEqual(200);
  expect(short).toMatchObject({
    parts: [{ type: "call", id: "c", input: { left_out: expect.stringContaining("characters left out") } }],
  });
});

test("thinking is never cut, since it is signed: it is kept or removed", () => {
  const thinking = { type: "thinking", text: "hm ".repeat(100), providerMetadata: { signature: "s" } } as const;
  const long = reply("r", [thinking, { type: "text", text: "x".repeat(4_000) }]);
  expect(shortenMessage(long, 300, counter)).toMatchObject({ parts: [thinking, { type: "text" }] });
  expect(shortenMessage(long, 60, counter)).toMatchObject({ parts: [{ type: "text" }] });
  expect(withoutThinking(reply("r", [thinking])).parts).toEqual([{ type: "text", text: "[thinking left out]" }]);
});

test("a reply whose items the provider stores loses all item ids when it is cut", () => {
  const itemId = { openai: { itemId: "item_1" } };
  const thinking = { type: "thinking", text: "hm", providerMetadata: itemId } as const;
  const long = reply("r", [
    thinking,
    { ...call("c", { content: "x".repeat(9_000) }), providerMetadata: itemId },
    { ...call("d"), providerMetadata: itemId },
  ]);
  const short = shortenMessage(long, 200, counter);
  expect(counter.countMessage(short)).toBeLessThanOrEqual(200);
  expect(JSON.stringify(short)).not.toContain("itemId");
  expect(short).toMatchObject({ parts: [{ id: "c" }, { id: "d" }] });
  expect(shortenMessage(long, 9_000, counter)).toBe(long);
});

test("a signature on a call stays with it", () => {
  const signed = {
    ...call("c", { content: "x".repeat(9_000) }),
    providerMetadata: { google: { thoughtSignature: "s" } },
  };
  expect(shortenMessage(reply("r", [signed]), 200, counter)).toMatchObject({
    parts: [{ providerMetadata: signed.providerMetadata }],
  });
});

test("a notice of the guardian is never cut", () => {
  const notice = user("n", "<sheepdog-notice>".repeat(100), "guardian");
  expect(shortenMessage(notice, 10, counter)).toBe(notice);
});
