import { bounds } from "../../state/bounds.ts";
import { planCalls } from "../call-sequence.ts";
import type { Watcher } from "./detector.ts";
import { equalTail } from "./seed-ryvos.ts";

/** AAR: the same set of calls step after step. Counts steps; the fourth ends the run before it is executed. */
export const seedAar: Watcher<"seed-aar", "call"> = {
  name: "seed-aar",
  reason: "doom_loop",
  on: "call",
  notice(state, { of }) {
    const plan = planCalls(state, of);
    if (plan === undefined) return undefined;
    const { calls, tool, lastCall } = plan;
    const printsByTurn = new Map<number, string[]>();
    for (const { turn, print } of calls) printsByTurn.set(turn, [...(printsByTurn.get(turn) ?? []), print].sort());
    const count = 1 + repeatedSteps([...printsByTurn.values()].map((prints) => prints.join()));
    if (count < 2) return undefined;
    const turns = [...printsByTurn.keys()].slice(-count);
    const evidence = calls.filter(({ turn }) => turns.includes(turn)).map(({ index }) => index);
    return { cause: "", count, evidence: evidence.slice(-bounds.evidence), tool, call: lastCall };
  },
};

/** How often the newest step repeats the steps before it; 0 when it differs from the last. AAR ends a run at 3. */
export function repeatedSteps(steps: readonly string[]): number {
  return Math.max(0, equalTail(steps) - 1);
}
