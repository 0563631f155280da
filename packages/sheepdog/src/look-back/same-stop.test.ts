import type { Policy } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import type { RecordedRun } from "@sheepdog/records";
import { afterEach, describe, expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { openTestHome, type TestHome } from "../../test/test-home.ts";
import { choosePolicy } from "../config/policy/choose-policy.ts";
import { recordedRunOf } from "../recordings/saved-run-recording.ts";
import { lookBackRun } from "./analyze-run.ts";
import { runFacts } from "./run-facts.ts";
import { type SweepBy, stopAt } from "./sweep.ts";
import { lowestCallLimit } from "./sweep-settings.ts";
import { firstStop } from "./worst-runs.ts";

const file = scratchFolder();
let opened: TestHome | undefined;
afterEach(async () => opened?.close());

type Turn = { readonly text?: string; readonly calls?: readonly { readonly tool: string; readonly input: object }[] };

const stubborn: Turn = { calls: [{ tool: "stubborn", input: { target: "all" } }] };
const echo = (text: string): Turn => ({ calls: [{ tool: "echo", input: { text } }] });
const fact = (index: number) => echo(`the content of file number ${index} is ${index * 7919}`);
const facts = (count: number) => Array.from({ length: count }, (_, index) => fact(index));
const times = (count: number, ...turns: readonly Turn[]) => Array.from({ length: count }, () => turns).flat();

const circle = "two calls in turn";

/** What a scripted model does that takes no advice. */
const scripts: Readonly<Record<string, readonly Turn[]>> = {
  "the same failing call": times(20, stubborn),
  "the same call and result": times(20, echo("ready")),
  [circle]: times(12, stubborn, echo("ready")),
  "a loop after work": [...facts(5), ...times(16, stubborn)],
  "a loop that it leaves by itself": [...times(4, stubborn), ...facts(6), ...times(14, echo("ready"))],
  "no loop": facts(12),
};

/** Runs a script under a policy; without a guardian unless one is given. */
async function play(script: readonly Turn[], policy: Policy = presets.off): Promise<RecordedRun> {
  opened = await openTestHome(await file(`home-${Math.random()}`));
  const limited = { ...policy, limits: { turns: { stop: 100 }, ...policy.limits } };
  await opened.runPrompt("ses_1", "Go.", [...script, { text: "Done." }], { policy: limited });
  const saved = await opened.stores.sessions.load("ses_1");
  const [run] = saved.runs;
  if (run === undefined) throw new Error("expected a run");
  const recording = recordedRunOf({ run, saved, events: await opened.stores.events.after("ses_1", 0) });
  await opened.close();
  return recording;
}

function callsOf({ steps }: RecordedRun): number {
  return steps.reduce((sum, { calls }) => sum + calls.length, 0);
}

async function policyWith(preset: string, ...settings: readonly string[]): Promise<Policy> {
  const chosen = await choosePolicy(preset, settings);
  if (!chosen.ok) throw new Error(chosen.problems.join(" "));
  return chosen.policy;
}

const policies: readonly (readonly [string, ...string[]])[] = [
  ["default"],
  ["default", "doom_loop_threshold=5"],
  ["default", "detectors.cycle=off"],
  ["default", "mode=advise"],
  ["strict"],
  ["ryvos"],
  ["aar"],
];

/** The last turn under a policy: as replaying the unwatched run says, and of a live run. */
async function lastTurns(script: readonly Turn[], [preset, ...settings]: readonly [string, ...string[]]) {
  const policy: Policy = { ...(await policyWith(preset, ...settings)), limits: {} };
  const unwatched = await play(script);
  const live = await play(script, policy);
  const stop = firstStop(lookBackRun(unwatched, { file: "/runs.jsonl", line: 1, sameIds: 0, policy }));
  return { replayed: stop?.turn ?? unwatched.steps.length - 1, live: live.steps.length - 1 };
}

describe.each(policies.map((policy) => ({ policy, name: policy.join(" ") })))("with the policy $name", ({ policy }) => {
  const isRefusing = !policy.includes("mode=advise") && !["ryvos", "aar"].includes(policy[0]);
  test.each(Object.entries(scripts))("%s ends in the turn in which the live guardian ends it", async (name, script) => {
    const { replayed, live } = await lastTurns(script, policy);
    // A recording does not know what a refusal of one of two calls would have changed: at most a round of the circle.
    if (name === circle && isRefusing) expect(Math.abs(replayed - live)).toBeLessThanOrEqual(2);
    else expect(replayed).toBe(live);
  });
});

/** The policy that the sweep prints for a limit. */
async function limitPolicy(by: SweepBy, limit: number): Promise<Policy> {
  const rungs = `{"hint":3,"warn":3,"block":3,"halt":${limit}}`;
  const detectors = ["doom-loop", "failing-call", "cycle"].map((name) => `detectors.${name}=${rungs}`);
  const others = ["failing-tool", "no-progress"].map((name) => `detectors.${name}=off`);
  if (by === "calls") return { ...(await policyWith("default", ...detectors, ...others)), limits: {} };
  return {
    ...presets.off,
    limits: by === "turns" ? { turns: { stop: limit } } : { "run-cost": { stop: limit * 1e9 } },
  };
}

const limits: readonly (readonly [SweepBy, number])[] = [
  ...[lowestCallLimit, 8, 10, 12].map((limit) => ["calls", limit] as const),
  ...[1, 5, 10, 40].map((limit) => ["turns", limit] as const),
  ...[1, 4.5, 10, 40].map((limit) => ["cost", limit] as const),
];

describe.each(limits)("with a limit on %s of %s", (by, limit) => {
  test.each(["the same failing call", "the same call and result", "a loop after work", "no loop"])(
    "%s saves what the live run does not do",
    async (name) => {
      const script = scripts[name] ?? [];
      const unwatched = await play(script);
      const live = await play(script, await limitPolicy(by, limit));
      const stop = stopAt[by](runFacts(unwatched, presets.default), limit);
      const saved = callsOf(unwatched) - callsOf(live);
      const replayed = stop?.savedCalls ?? 0;
      // A live run compares its limit of money with an estimate of the next request, which is above what it then costs.
      if (by === "cost") expect([0, 1, 2]).toContain(saved - replayed);
      else expect(replayed).toBe(saved);
    },
  );
});
