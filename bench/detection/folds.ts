import { type DetectorName, defaultPolicy, type Policy } from "../../packages/guardian/dist/index.js";
import type { Prepared } from "./contestants.ts";
import { sourceOf } from "./data.ts";
import { firstWord, watching } from "./guardian.ts";
import { rules } from "./rules/index.ts";
import { type Judged, type Score, score } from "./score.ts";

/** Leave one source out: a threshold is chosen on the others by F1 and judged on the one left out; all such judgements pooled. */
export interface Folds {
  readonly system: string;
  readonly score: Score;
  readonly chosen: readonly { readonly source: string; readonly setting: string }[];
}

/** The guardian's hint rungs and the thresholds of the rules that have one, chosen without the source they are judged on. Empty where there is one source only. */
export function leaveOneSourceOut(runs: readonly Prepared[]): readonly Folds[] {
  const tuned = rules.flatMap(({ name, tuned: settings, firstReaction }) =>
    settings === undefined ? [] : [{ name, settings, firstReaction }],
  );
  const others = tuned.map(({ name, settings, firstReaction }) =>
    pooled(name, runs, [
      { name: "default", reaction: ({ flat }) => firstReaction(flat) },
      ...settings.map((each) => ({
        name: String(each.threshold),
        reaction: ({ flat }: Prepared) => each.firstReaction(flat),
      })),
    ]),
  );
  return [pooled("sheepdog", runs, guardianSettings()), ...others].filter(({ chosen }) => chosen.length > 1);
}

interface Setting {
  readonly name: string;
  readonly reaction: (run: Prepared) => number | undefined;
}

function pooled(system: string, runs: readonly Prepared[], settings: readonly Setting[]): Folds {
  const judgedBy = settings.map(({ name, reaction }) => ({
    name,
    judged: runs.map((run): Judged => ({ label: run.label, reaction: reaction(run) })),
  }));
  const sources = [...new Set(runs.map(({ run }) => sourceOf(run)))].sort();
  const isFrom = (source: string, place: number) => runs[place] !== undefined && sourceOf(runs[place].run) === source;
  const all: Judged[] = [];
  const chosen = sources.map((source) => {
    const f1 = judgedBy.map(({ judged }) => score(judged.filter((_, place) => !isFrom(source, place))).f1 ?? 0);
    const best = judgedBy[f1.indexOf(Math.max(...f1))]; // the first of equals: the default
    if (best === undefined) throw new Error("Expected at least one setting to choose from.");
    all.push(...best.judged.filter((_, place) => isFrom(source, place)));
    return { source, setting: best.name };
  });
  return { system, score: score(all), chosen };
}

const equalCalls: readonly DetectorName[] = ["side-effect-repeat", "failing-call", "cycle", "doom-loop"];
const counting: readonly DetectorName[] = ["no-progress", "failing-tool"];

/** The default, then a small grid: the hint rung of the detectors that count equal calls, and of those that count calls. */
function guardianSettings(): readonly Setting[] {
  const grid = [3, 2.5, 3.5, 4].flatMap((equal) => [4, 3, 5, 6].map((count) => ({ equal, count })));
  return [
    { name: "default", reaction: ({ said }) => said?.call },
    ...grid.map(({ equal, count }) => {
      const policy = withHints(withHints(watching, equalCalls, equal), counting, count);
      return {
        name: `equal ${equal}, counting ${count}`,
        reaction: ({ signals }: Prepared) => firstWord(signals, policy)?.call,
      };
    }),
  ];
}

function withHints(policy: Policy, names: readonly DetectorName[], hint: number): Policy {
  const changed = names.map((name) => [name, { ...defaultPolicy.detectors[name], hint }]);
  return { ...policy, detectors: { ...policy.detectors, ...Object.fromEntries(changed) } };
}
