import { type DetectorName, defaultPolicy, type Policy } from "../../packages/guardian/dist/index.js";
import { sourceOf } from "./data.ts";
import { firstIntervention, observing } from "./guardian.ts";
import type { PreparedRun } from "./prepared-run.ts";
import { rules } from "./rules/index.ts";
import { type Judged, type Score, score } from "./score.ts";

/**
 * Leave one source out: a setting is chosen on the other sources by F1 and judged on this one. Judgements are pooled.
 */
export interface Folds {
  readonly system: string;
  readonly score: Score;
  readonly chosen: readonly { readonly source: string; readonly setting: string }[];
}

/**
 * Chooses the guardian's hint rungs, and the thresholds of rules that have one, without the source they are judged on.
 * Empty when there is only one source.
 */
export function leaveOneSourceOut(runs: readonly PreparedRun[]): readonly Folds[] {
  const others = rules.flatMap(({ name, tuned, firstReaction }) => {
    if (tuned === undefined) return [];
    const tunedSettings = tuned.map((setting) => ({
      name: String(setting.threshold),
      reaction: ({ flat }: PreparedRun) => setting.firstReaction(flat),
    }));
    return [pooled(name, runs, [{ name: "default", reaction: ({ flat }) => firstReaction(flat) }, ...tunedSettings])];
  });
  return [pooled("sheepdog", runs, guardianSettings()), ...others].filter(({ chosen }) => chosen.length > 1);
}

interface Setting {
  readonly name: string;
  readonly reaction: (run: PreparedRun) => number | undefined;
}

function pooled(system: string, runs: readonly PreparedRun[], settings: readonly Setting[]): Folds {
  const judgedBy = settings.map(({ name, reaction }) => ({
    name,
    judged: runs.map((run): Judged => ({ label: run.label, reaction: reaction(run) })),
  }));
  const sources = [...new Set(runs.map(({ run }) => sourceOf(run)))].sort();
  const isFrom = (source: string, index: number) => runs[index] !== undefined && sourceOf(runs[index].run) === source;
  const all: Judged[] = [];
  const chosen = sources.map((source) => {
    const f1 = judgedBy.map(({ judged }) => score(judged.filter((_, index) => !isFrom(source, index))).f1 ?? 0);
    const best = judgedBy[f1.indexOf(Math.max(...f1))]; // the default wins a tie
    if (best === undefined) throw new Error("Expected at least one setting to choose from.");
    all.push(...best.judged.filter((_, index) => isFrom(source, index)));
    return { source, setting: best.name };
  });
  return { system, score: score(all), chosen };
}

const equalCalls: readonly DetectorName[] = ["side-effect-repeat", "failing-call", "cycle", "doom-loop"];
const counting: readonly DetectorName[] = ["no-progress", "failing-tool"];

/** The default, then a grid of hint rungs: of the detectors that count equal calls, and of those that count calls. */
function guardianSettings(): readonly Setting[] {
  const grid = [3, 2.5, 3.5, 4].flatMap((equal) => [4, 3, 5, 6].map((count) => ({ equal, count })));
  return [
    { name: "default", reaction: ({ first }) => first?.call },
    ...grid.map(({ equal, count }) => {
      const policy = withHints(withHints(observing, equalCalls, equal), counting, count);
      return {
        name: `equal ${equal}, counting ${count}`,
        reaction: ({ signals }: PreparedRun) => firstIntervention(signals, policy)?.call,
      };
    }),
  ];
}

function withHints(policy: Policy, names: readonly DetectorName[], hint: number): Policy {
  const changed = names.map((name) => [name, { ...defaultPolicy.detectors[name], hint }]);
  return { ...policy, detectors: { ...policy.detectors, ...Object.fromEntries(changed) } };
}
