import { expect, test } from "vitest";
import type { Card } from "./cards/card.ts";
import { emptyEditor } from "./editor/editor.ts";
import { lineKeys } from "./line-keys.ts";
import { newChat } from "./state/testing.ts";

const card: Card = { type: "approval", id: "card-1", tool: "bash", title: "bash", lines: [], reason: "" };
const withCard = { ...newChat, cards: [card] };

test("only exact words allow a call", () => {
  for (const line of ["y", "yes", " Y "]) expect(lineKeys(withCard, line)).toEqual([{ type: "text", text: "y" }]);
  for (const line of ["a", "Always"]) expect(lineKeys(withCard, line)).toEqual([{ type: "text", text: "a" }]);
  for (const line of ["you should look at the tests", "add a test too", "yes, but first", "y y", "/help", "ya"])
    expect(lineKeys(withCard, line)).toBeUndefined();
});

test("a rule is shown and written only with exact words", () => {
  const withRule = { ...newChat, cards: [{ ...card, rule: 'allow bash "git push *"' }] };
  expect(lineKeys(withRule, "rule")).toEqual([{ type: "text", text: "r" }]);
  expect(lineKeys(withCard, "r")).toBeUndefined();
  const shown = { ...withRule, ruleShownOn: card.id };
  expect(lineKeys(shown, "write")).toEqual([{ type: "text", text: "w" }]);
  for (const line of ["yes", "", "write it"]) expect(lineKeys(shown, line)).toEqual([{ type: "text", text: "x" }]);
});

test("a no may include its reason on the same line", () => {
  expect(lineKeys(withCard, "no")).toEqual([{ type: "text", text: "n" }]);
  for (const line of ["d not now", "n: not now", "no, not now"])
    expect(lineKeys(withCard, line)).toEqual([
      { type: "text", text: "d" },
      { type: "paste", text: "not now" },
      { type: "press", name: "enter" },
    ]);
  expect(lineKeys(withCard, "")).toEqual([]);
});

const runCard: Card = { type: "run", id: "card-1", status: "5 turns", continueChoice: "continue" };
const withRunCard = { ...newChat, cards: [runCard] };

test("a question about the run is answered with a word, or with a message on the same or the next line", () => {
  expect(lineKeys(withRunCard, " Stop ")).toEqual([{ type: "text", text: "s" }]);
  expect(lineKeys(withRunCard, "c")).toEqual([{ type: "text", text: "c" }]);
  const tell = { type: "text", text: "t" };
  const message = [
    { type: "paste", text: "look again" },
    { type: "press", name: "enter" },
  ];
  expect(lineKeys(withRunCard, "t look again")).toEqual([tell, ...message]);
  expect(lineKeys(withRunCard, "t")).toEqual([tell]);
  expect(lineKeys({ ...withRunCard, reply: emptyEditor }, "look again")).toEqual(message);
  for (const line of ["continue with the tests", "stop it", "so?", "/help"])
    expect(lineKeys(withRunCard, line)).toBeUndefined();
});
