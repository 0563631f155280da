import { expect, test } from "vitest";
import { lookedAt } from "../../test/look-back-runs.ts";
import { stuckRun } from "../../test/recordings.ts";
import { plainSentence } from "../sentences/say.ts";
import { clippedAlike } from "./evidence.ts";

test("long texts are clipped around their first difference", () => {
  const before = "x".repeat(500);
  const texts = [`${before}one${"y".repeat(500)}`, `${before}two${"y".repeat(500)}`];
  expect(clippedAlike(texts, { maxChars: 100, end: "head" })).toEqual([
    `…${"x".repeat(80)}one${"y".repeat(17)}…`,
    `…${"x".repeat(80)}two${"y".repeat(17)}…`,
  ]);
});

test("equal texts keep their beginning, and those of failures their end", () => {
  const text = `begin ${"x".repeat(200)} end`;
  expect(clippedAlike([text, text], { maxChars: 9, end: "head" })).toEqual(["begin xxx…", "begin xxx…"]);
  expect(clippedAlike([text, text], { maxChars: 9, end: "tail" })).toEqual(["…xxxxx end", "…xxxxx end"]);
  expect(clippedAlike(["short", "text"], { maxChars: 9, end: "tail" })).toEqual(["short", "text"]);
});

test("an episode has its sentence, its cost, its rungs, and its first and last calls", () => {
  const run = lookedAt(stuckRun("r", 12));
  expect(run.episodes).toMatchObject([
    {
      detector: "failing-call",
      sentence: [{ code: "make" }, { text: " failed 12 times the same way" }],
      times: 12,
      repeats: 11,
      costUsd: 1.1,
      children: [],
      interventions: [
        { level: "hint", call: 2, remaining: { calls: 9, costUsd: 0.9 } },
        { level: "warn", call: 3, sentence: [{ code: "make" }, { text: " failed 4 times the same way" }] },
        { level: "block", call: 4 },
        { level: "halt", call: 7, remaining: { calls: 4, costUsd: 0.4 } },
      ],
    },
  ]);
  expect(run.episodes[0]?.evidence.map(({ call, args }) => [call, args])).toEqual(
    [0, 1, 2, 9, 10, 11].map((call) => [call, "make"]),
  );
  expect(run.episodes[0]?.evidence[2]).toMatchObject({ call: 2, sameCalls: [[3, 8]] });
  expect(run.facts.stuck).toMatchObject({ detector: "failing-call", calls: 11, costUsd: 1.1, savedUsd: 0.4 });
});

test("texts that differ only where they are clipped are not the same", () => {
  const text = (start: string, end: string) => `${"x".repeat(50)}${start}${"y".repeat(500)}${end}`;
  const texts = [text("a", "1"), text("b", "1"), text("a", "2"), text("a", "1")];
  const [first, second, third, fourth] = clippedAlike(texts, { maxChars: 200, end: "head" });
  expect(new Set([first, second, third]).size).toBe(3);
  expect(fourth).toBe(first);
});

function failing(name: string, argsOf: (index: number) => object) {
  const steps = Array.from({ length: 4 }, (_, index) => ({
    text: "",
    calls: [{ name, args: argsOf(index), result: "no such file", isError: true }],
  }));
  return lookedAt(JSON.stringify({ id: "r", steps })).episodes[0];
}

test("a command that is not all that a call does is shown with its other arguments", () => {
  const episode = failing("str_replace_editor", () => ({ command: "view", path: "/srv/cart.ts" }));
  expect(plainSentence(episode?.sentence ?? [])).toBe(
    "str_replace_editor view /srv/cart.ts failed 4 times the same way",
  );
  expect(episode?.evidence[0]?.args).toBe('{"command":"view","path":"/srv/cart.ts"}');
});

test("arguments besides the command of a shell are shown where they differ", () => {
  const argsOf = (episode: ReturnType<typeof failing>) => episode?.evidence.map(({ args }) => args);
  expect(argsOf(failing("bash", () => ({ command: "make", timeout: 9 })))).toEqual(["make", "make", "make", "make"]);
  expect(argsOf(failing("bash", (index) => ({ command: "make", timeout: index % 2 })))).toEqual([
    'make {"timeout":0}',
    'make {"timeout":1}',
    'make {"timeout":0}',
    'make {"timeout":1}',
  ]);
});
