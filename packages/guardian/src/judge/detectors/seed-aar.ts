import { bounds } from "../../bounds.ts";
import { planOf } from "../sequence.ts";
import type { Watcher } from "./detector.ts";
import { equalTail } from "./seed-ryvos.ts";

/** AAR: the same set of calls step after step. Counts steps; the fourth ends the run before it is executed. */
export const seedAar: Watcher<"seed-aar", "call"> = {
  name: "seed-aar",
  rungs: { halt: 4 },
  reason: "doom_loop",
  on: "call",
  notice(state, { of }) {
    const plan = planOf(state, of);
    if (plan === undefined) return undefined;
    const { calls, tool, call } = plan;
    const steps = new Map<number, string[]>();
    for (const { turn, print } of calls) steps.set(turn, [...(steps.get(turn) ?? []), print].sort());
    const count = 1 + repeatedSteps([...steps.values()].map((prints) => prints.join()));
    const turns = [...steps.keys()].slice(-count);
    const evidence = calls.flatMap(({ turn, index }) => (turns.includes(turn) ? [index] : [])).slice(-bounds.evidence);
    return count < 2 ? undefined : { cause: "", count, evidence, tool, call };
  },
};

/** How often the newest step repeats the steps before it: none where it differs from the last. AAR ends a run at three. */
export function repeatedSteps(steps: readonly string[]): number {
  return Math.max(0, equalTail(steps) - 1);
}
