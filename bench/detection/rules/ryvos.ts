import type { FlatCall, FlatRun } from "../flat-run.ts";
import type { Reaction } from "../reaction.ts";
import { hasFailed } from "./failed.ts";
import { rowLengths } from "./in-a-row.ts";
import { stableKey } from "./keys.ts";
import { at, type Rule, tunedTo } from "./rule.ts";

/**
 * Ryvos, Guardian watchdog (guardian.rs, doom_loop_threshold 3): the last three calls are equal, by tool and the first
 * 300 characters of their arguments with keys sorted and white space removed. Each user message starts a run. It gives
 * hints only.
 */
export const ryvos: Rule = {
  name: "Ryvos",
  reactions: (run) => doomLoop(run, 3),
  tuned: tunedTo([2, 3, 4, 5], doomLoop),
};

/**
 * The same with its second mechanism, Reflexion (intelligence.rs, threshold 3): one tool fails three times in a row,
 * with any arguments. It gives hints only.
 */
export const ryvosReflexion: Rule = {
  name: "Ryvos with Reflexion",
  reactions: (run) => withReflexion(run, 3),
  tuned: tunedTo([2, 3, 4, 5], withReflexion),
};

function* doomLoop(run: FlatRun, threshold: number): Generator<Reaction> {
  for (const { call, length } of rowLengths(run, fingerprint)) if (length >= threshold) yield at(call, "hint");
}

function* withReflexion(run: FlatRun, threshold: number): Generator<Reaction> {
  const failures = new Map<string, number>();
  for (const { call, length } of rowLengths(run, fingerprint)) {
    const failed = hasFailed(call) ? (failures.get(call.tool) ?? 0) + 1 : 0;
    failures.set(call.tool, failed);
    if (length >= threshold || failed >= threshold) yield at(call, "hint");
  }
}

function fingerprint(call: FlatCall): string {
  const print = stableKey(call).replace(/\s/g, "");
  return `${call.userTurn} ${print.slice(0, call.tool.length + 300)}`;
}
