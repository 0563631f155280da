import { expect, test } from "vitest";
import { childLine, lookedAt, parentLine } from "../../test/look-back-runs.ts";
import { cleanRun, stuckRun } from "../../test/recordings.ts";
import { plainSentence } from "../sentences/say.ts";
import { answerSentences } from "./answer-sentences.ts";
import { withSubagentCosts } from "./subagent-costs.ts";

function answer(...lines: readonly string[]): string {
  return answerSentences(withSubagentCosts(lines.map((line) => lookedAt(line))))
    .map(plainSentence)
    .join(" ");
}

/** A run of an agent whose tokens have no cost in the recording. */
function run(id: string, fields: object, steps: readonly object[]): string {
  return JSON.stringify({ id, source: "codex", model: "m", ...fields, steps });
}

const at = new Date(2026, 10, 3, 12).getTime();
const done = (day: number) => ({ turn: 0, text: "Done.", at: at + day * 86_400_000, calls: [] });

test("a run that went in circles is told in calls and money", () => {
  expect(answer(stuckRun("a", 9))).toBe("test spent $0.90 in one run; 8 of 9 calls and $0.80 went in circles.");
});

test("many calls are told as a share, with the days of the first run and the last", () => {
  const lines = [stuckRun("a", 30), stuckRun("b", 3), run("c", {}, [done(0)]), run("d", {}, [done(29)])];
  expect(answer(...lines)).toBe(
    "Your agents spent $3.30 in 4 runs from Nov 3 to Dec 2, 2026 (30 days); 93 % of the calls and $3.10 went in " +
      "circles, in 2 runs.",
  );
});

test("a small share is not rounded to nothing", () => {
  const calls = Array.from({ length: 300 }, (_, index) => ({
    name: "read",
    args: { path: `${index}` },
    result: `${index * 7919}`,
  }));
  const text = answer(
    stuckRun("a", 3),
    run(
      "b",
      {},
      calls.map((call, turn) => ({ turn, text: "", calls: [call] })),
    ),
  );
  expect(text).toContain("; under 1 % of the calls and $0.20 went in circles, in 1 run.");
});

test("without a cost, it says how many calls were made and that money is unknown", () => {
  expect(answer(cleanRun("a"), cleanRun("b"))).toBe(
    "Your agents made 2 calls in 2 runs; none went in circles. What they cost is not recorded.",
  );
});

test("the subagents of a loop are counted in it once", () => {
  const children = ["c1", "c2", "c3", "c4"];
  const lines = [parentLine("p", children), ...children.map((id) => childLine(id, "p"))];
  expect(answer(...lines)).toBe(
    "test spent $8.40 in 5 runs, 4 of them of subagents, on Nov 3, 2026; 3 of 4 calls and $6.30 went in circles, " +
      "in 1 run.",
  );
});

test("only the money that was computed is at list price", () => {
  const step = (usage: object) => ({ text: "", usage, calls: [] });
  expect(answer(run("a", {}, [step({ costUsd: 1, isPriced: true })]))).toContain(
    "spent $1.00 at list price in one run",
  );
  expect(answer(run("a", {}, [step({ costUsd: 1, isPriced: true }), step({ costUsd: 2 })]))).toContain(
    "spent $3.00 ($1.00 of it at list price) in one run",
  );
});
