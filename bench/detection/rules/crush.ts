import type { FlatStep } from "../flat-run.ts";
import { plainKey, resultText } from "./keys.ts";
import { at, type Rule } from "./rule.ts";

const windowSteps = 10;
const maxEqual = 5;

/**
 * crush, loop detection (2026): one step, by its calls and results in order, occurs more than five times in the last
 * ten steps. Runs of fewer than ten steps are not checked; steps without calls are skipped. The run stops.
 */
export const crush: Rule = {
  name: "crush",
  *reactions(run) {
    const recent: string[] = [];
    for (const step of run.steps) {
      const last = step.calls.at(-1);
      if (last === undefined) continue;
      const signature = signatureOf(step);
      recent.push(signature);
      const equal = recent.slice(-windowSteps).filter((each) => each === signature).length;
      if (recent.length >= windowSteps && equal > maxEqual) yield at(last, "stop");
    }
  },
};

function signatureOf({ calls }: FlatStep): string {
  return calls.map((call) => `${plainKey(call)}\n${resultText(call)}`).join("\n");
}
