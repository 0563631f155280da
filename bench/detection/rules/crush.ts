import type { FlatStep } from "../flat-run.ts";
import { plainKey, resultText } from "./keys.ts";
import type { Rule } from "./rule.ts";

const WINDOW = 10;
const MOST = 5;

/**
 * crush, loop detection (2026): one step, by all its calls and results in order, stands more than five times among the last ten.
 * Fewer than ten steps are never looked at; steps without calls are skipped. First reaction: the run stops.
 */
export const crush: Rule = {
  name: "crush",
  firstReaction(run) {
    const recent: string[] = [];
    for (const step of run.steps) {
      const last = step.calls.at(-1);
      if (last === undefined) continue;
      const signature = signatureOf(step);
      recent.push(signature);
      if (recent.length >= WINDOW && recent.slice(-WINDOW).filter((each) => each === signature).length > MOST)
        return last.index;
    }
    return undefined;
  },
};

function signatureOf({ calls }: FlatStep): string {
  return calls.map((call) => `${plainKey(call)}\n${resultText(call)}`).join("\n");
}
