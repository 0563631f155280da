import { groupsOf } from "./groups.ts";
import type { PreparedRun } from "./prepared-run.ts";
import { untilStop } from "./reaction.ts";
import { rules } from "./rules/index.ts";
import { type Judged, type Score, score } from "./score.ts";

/** A group of runs, or a system, with its scores. */
export interface Row {
  readonly name: string;
  readonly score: Score;
}

/** A system with its scores over all runs, and its F1 by source. */
export interface SystemRow extends Row {
  readonly f1BySource: Readonly<Record<string, number | null>>;
}

/** The guardian first, then the other systems by F1. */
export function systemRows(runs: readonly PreparedRun[]): readonly SystemRow[] {
  const others = rules.map(({ name, reactions }) =>
    toRow(
      name,
      runs.map(({ source, label, flat }) => ({ source, label, reactions: untilStop(reactions(flat)) })),
    ),
  );
  return [toRow("sheepdog", runs), ...others.sort((a, b) => (b.score.f1 ?? 0) - (a.score.f1 ?? 0))];
}

function toRow(name: string, judged: readonly (Judged & { readonly source: string })[]): SystemRow {
  const bySource = groupsOf(judged, ({ source }) => source).map(([source, members]) => [source, score(members).f1]);
  return { name, score: score(judged), f1BySource: Object.fromEntries(bySource) };
}
