import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../src/package-root.ts";
import { directorEvents, saveDirectorRun } from "./director-run.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { openTestHome } from "./test-home.ts";

const file = scratchFolder();
const verdict = { type: "JudgeVerdict", verdict: "retry", reason: "Again.", model: "m", costNanoUsd: 1 } as const;
const evaluation = {
  type: "GoalEvaluated",
  score: 0,
  threshold: 1,
  criteria: [{ text: "a", isMet: false, reason: "b" }],
  constraints: [{ text: "a", level: "must", isRespected: null }],
} as const;
const page = new URL("../../docs/saved-runs.md", packageRoot);

describe("the page about saved runs", () => {
  test.each([
    "runs",
    "show last",
    "show ses_director",
    "cost",
    "cost --by tool",
    "budget",
    "prune --dry-run --older-than 0d",
    "memory list",
    "audit",
    "memory safety",
  ])("names every field of `%s --json`", async (command) => {
    const { runPrompt, startRun, sheepdog, stores, close } = await openTestHome(await file("home"));
    await sheepdog("memory", "add", "Sheep are counted on Mondays.");
    await runPrompt("ses_asked", "Push.", [{ calls: [{ tool: "echo", input: { text: "a" } }] }, { text: "Done." }], {
      attended: true,
      approve: async () => ({ isAllowed: false, reason: "the user said no: not today", words: "not today" }),
      gate: {
        decide: async () => ({
          tier: 3,
          decision: "ask",
          reason: "a test",
          principles: [{ principle: "intent", verdict: "caution", reason: "a test" }],
        }),
      },
    });
    const { run, release } = await startRun("ses_busy", "Wait.");
    const same = { calls: [{ tool: "stubborn", input: {} }] };
    const looks = ["a", "b", "c", "d", "e", "f"].map((text) => ({ calls: [{ tool: "echo", input: { text } }] }));
    await runPrompt("ses_a", "Go.", [
      { thinking: "Hm.", text: "I try.", ...same },
      ...Array.from({ length: 5 }, () => same),
      ...looks,
      { text: "Done." },
    ]);
    await saveDirectorRun(stores, {
      sessionId: "ses_director",
      bodies: [...directorEvents, verdict, evaluation],
      startedAt: Date.now() - 60_000,
      own: [],
    });
    const text = await readFile(page, "utf8");
    const known = new Set([...text.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    const { out } = await sheepdog(...command.split(" "), "--json");
    expect([...fieldsOf(JSON.parse(out))].filter((name) => !known.has(name))).toEqual([]);
    release();
    await run.result;
    await close();
  });
});

/** All field names of a document, except those of tool input and of parts with their own contract. */
function fieldsOf(value: unknown): Set<string> {
  if (typeof value !== "object" || value === null) return new Set();
  if (Array.isArray(value)) return new Set(value.flatMap((each) => [...fieldsOf(each)]));
  const foreign = ["input", "usage", "intervention"];
  return new Set(
    Object.entries(value).flatMap(([name, each]) => [name, ...(foreign.includes(name) ? [] : fieldsOf(each))]),
  );
}
