import { type DetectorName, defaultPolicy, type Policy } from "../../packages/guardian/dist/index.js";
import { interventions, observing } from "./guardian.ts";
import { type Folds, leaveOneSourceOut, type Setting } from "./leave-one-out.ts";
import type { PreparedRun } from "./prepared-run.ts";
import { rules } from "./rules/index.ts";
import type { Rule } from "./rules/rule.ts";

/**
 * Chooses the guardian's hint rungs, and the thresholds of rules that have one, without the source they are judged on.
 * The guardian first, then the rules by F1. Empty when there is only one source.
 */
export function foldsOf(runs: readonly PreparedRun[]): readonly Folds[] {
  if (new Set(runs.map(({ source }) => source)).size < 2) return [];
  const others = rules.map((rule) => leaveOneSourceOut(rule.name, runs, ruleSettings(rule)));
  return [
    leaveOneSourceOut("sheepdog", runs, guardianSettings()),
    ...others.sort((a, b) => (b.score.f1 ?? 0) - (a.score.f1 ?? 0)),
  ];
}

function ruleSettings({ reactions, tuned = [] }: Rule): readonly Setting<PreparedRun>[] {
  return [
    { name: "default", reactions: ({ flat }) => reactions(flat) },
    ...tuned.map((setting) => ({
      name: String(setting.threshold),
      reactions: ({ flat }: PreparedRun) => setting.reactions(flat),
    })),
  ];
}

const equalCalls: readonly DetectorName[] = ["side-effect-repeat", "failing-call", "cycle", "doom-loop"];
const counting: readonly DetectorName[] = ["no-progress", "failing-tool"];

/** The default, then a grid of hint rungs: of the detectors that count equal calls, and of those that count calls. */
function guardianSettings(): readonly Setting<PreparedRun>[] {
  const grid = [3, 2.5, 3.5, 4].flatMap((equal) => [4, 3, 5, 6].map((count) => ({ equal, count })));
  return [
    { name: "default", reactions: ({ reactions }) => reactions },
    ...grid.map(({ equal, count }) => {
      const policy = withHints(withHints(observing, equalCalls, equal), counting, count);
      return {
        name: `equal ${equal}, counting ${count}`,
        reactions: ({ signals }: PreparedRun) => interventions(signals, policy),
      };
    }),
  ];
}

function withHints(policy: Policy, names: readonly DetectorName[], hint: number): Policy {
  const changed = names.map((name) => [name, { ...defaultPolicy.detectors[name], hint }]);
  return { ...policy, detectors: { ...policy.detectors, ...Object.fromEntries(changed) } };
}
