import type { SpoolLine } from "@sheepdog/integrations/hooks";
import { expect, test } from "vitest";
import { statusLine } from "./status-line.ts";

const session: SpoolLine = { type: "session", version: 1, agent: "claude-code", session: "s", mode: "guide", at: 1 };
const intervention = (level: "hint" | "block", isApplied: boolean, at: number): SpoolLine => ({
  type: "intervention",
  at,
  intervention: {
    id: `e1/${level}`,
    detector: "failing-call",
    level,
    effect: "tell",
    call: 3,
    evidence: [1, 2, 3],
    count: 3,
    message: 'This exact call to "Bash" has failed 3 times with the same error: cat: missing.txt: No such file',
    isApplied,
  },
});
const cost = { cost: { total_cost_usd: 1.236 } };

test("it has the cost, what the guardian did, and its message for some minutes", () => {
  expect(statusLine(cost, [], { now: 1 })).toBe("sheepdog $1.24 · no hook has fired yet");
  expect(statusLine(cost, [session], { now: 1 })).toBe("sheepdog $1.24 · watching");
  const lines = [session, intervention("hint", true, 5), intervention("block", true, 6)];
  expect(statusLine(cost, lines, { now: 7 })).toBe(
    "sheepdog $1.24 · 1 hint, 1 refusal · " +
      'This exact call to "Bash" has failed 3 times with the same error: cat: missing.…',
  );
  expect(statusLine(cost, lines, { now: 60 * 60_000 })).toBe("sheepdog $1.24 · 1 hint, 1 refusal");
});

test("it says that the guardian only observes, and takes any input", () => {
  const observing: SpoolLine = { ...session, mode: "observe" };
  expect(statusLine(undefined, [observing], { now: 1 })).toBe("sheepdog observing");
  expect(statusLine({ cost: "?" }, [observing, intervention("hint", false, 1)], { now: 9e9 })).toBe(
    "sheepdog would have: 1 hint",
  );
});

test("a mistake of the configuration comes before the last message", () => {
  const problem = "The configuration has a mistake: config.toml:1:1: there is no key channles. What is valid holds.";
  expect(statusLine(cost, [session, intervention("hint", true, 5)], { now: 7, problem })).toBe(
    "sheepdog $1.24 · 1 hint · The configuration has a mistake: config.toml:1:1: there is no key channles. Wha…",
  );
});
