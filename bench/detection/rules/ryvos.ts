import { equalTail } from "../../../packages/guardian/dist/seeds/index.js";
import type { FlatCall, FlatRun } from "../flat-run.ts";
import { hasFailed } from "./failed.ts";
import { stableKey } from "./keys.ts";
import type { Rule } from "./rule.ts";

/**
 * Ryvos, Guardian watchdog (guardian.rs, doom_loop_threshold 3): the last three calls are equal, by tool and the first
 * 300 characters of their arguments with keys sorted and white space removed. Each user message starts a run. First
 * reaction: a hint.
 */
export const ryvos: Rule = {
  name: "Ryvos",
  firstReaction: doomLoop,
};

/**
 * The same with its second mechanism, Reflexion (intelligence.rs, threshold 3): one tool fails three times in a row,
 * with any arguments. First reaction: a hint.
 */
export const ryvosReflexion: Rule = {
  name: "Ryvos with Reflexion",
  firstReaction: (run) => earlier(doomLoop(run), failingTool(run)),
};

function doomLoop(run: FlatRun): number | undefined {
  const keys: string[] = [];
  for (const call of run.calls) {
    keys.push(`${call.userTurn} ${fingerprint(call)}`);
    if (equalTail(keys) >= 3) return call.index;
  }
  return undefined;
}

function fingerprint(call: FlatCall): string {
  return stableKey(call)
    .replace(/\s/g, "")
    .slice(0, call.tool.length + 300);
}

function failingTool(run: FlatRun): number | undefined {
  const failures = new Map<string, number>();
  for (const call of run.calls) {
    const count = hasFailed(call) ? (failures.get(call.tool) ?? 0) + 1 : 0;
    failures.set(call.tool, count);
    if (count >= 3) return call.index;
  }
  return undefined;
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
