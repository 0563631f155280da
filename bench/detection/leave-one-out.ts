import type { Label } from "./labels.ts";
import { firstOnly, type Reaction, untilStop } from "./reaction.ts";
import { type Judged, type Score, score } from "./score.ts";

/** The scores of a system whose setting is chosen without the source it is judged on; the judgements are pooled. */
export interface Folds {
  readonly name: string;
  readonly score: Score;
  /** How many settings there were to choose from. */
  readonly settings: number;
  /** The setting for each source; empty when there was only one setting. */
  readonly chosen: readonly { readonly source: string; readonly setting: string }[];
}

/** A way to run a system, such as a threshold. */
export interface Setting<Run> {
  readonly name: string;
  readonly reactions: (run: Run) => Iterable<Reaction>;
}

/** For each source: the setting with the best F1 on all other sources judges this one. The first setting wins a tie. */
export function leaveOneSourceOut<Run extends { readonly source: string; readonly label: Label }>(
  name: string,
  runs: readonly Run[],
  settings: readonly Setting<Run>[],
): Folds {
  const candidates = settings.map((setting) => ({
    setting,
    firsts: settings.length < 2 ? [] : firstsOf(runs, setting),
  }));
  const pooled: Judged[] = [];
  const chosen = [...new Set(runs.map(({ source }) => source))].sort().map((source) => {
    const f1 = candidates.map(({ firsts }) => score(firsts.filter((each) => each.source !== source)).f1 ?? 0);
    const best = candidates[f1.indexOf(Math.max(...f1))]?.setting;
    if (best === undefined) throw new Error("Expected at least one setting to choose from.");
    for (const run of runs)
      if (run.source === source) pooled.push({ label: run.label, reactions: untilStop(best.reactions(run)) });
    return { source, setting: best.name };
  });
  return { name, score: score(pooled), settings: settings.length, chosen: settings.length < 2 ? [] : chosen };
}

/** F1 needs the first reaction to each run only. */
function firstsOf<Run extends { readonly source: string; readonly label: Label }>(
  runs: readonly Run[],
  { reactions }: Setting<Run>,
): readonly (Judged & { readonly source: string })[] {
  return runs.map((run) => ({ source: run.source, label: run.label, reactions: firstOnly(reactions(run)) }));
}
