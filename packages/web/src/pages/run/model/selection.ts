import type { InterventionView } from "../../../contract/index.ts";
import type { Row } from "./story.ts";

const rank = { hint: 1, warn: 2, block: 3, halt: 4 } as const;

/**
 * The intervention that the page shows first: the warning of the strongest episode, because it tells what was known
 * early; without one, the first step of that episode.
 */
export function defaultIntervention(views: readonly InterventionView[]): InterventionView | undefined {
  const strongest = views.reduce<InterventionView | undefined>(
    (best, view) => (best === undefined || strength(view) > strength(best) ? view : best),
    undefined,
  );
  if (strongest === undefined) return undefined;
  const episode = views.filter((view) => view.episode === strongest.episode);
  return episode.find(({ level }) => level === "warn") ?? episode[0];
}

function strength({ level, isLimit }: InterventionView): number {
  return rank[level] - (isLimit ? 0.5 : 0);
}

/** The intervention that belongs to a selected event: itself, or one about the row that shows it. */
export function interventionFor(
  views: readonly InterventionView[],
  seq: number,
  row: Row | undefined,
): InterventionView | undefined {
  const own = views.find((view) => view.seq === seq);
  if (own !== undefined) return own;
  if (row?.type === "fold" && row.episodes.length > 0) {
    const episode = views.filter((view) => row.episodes.includes(view.episode));
    return episode.findLast((view) => view.seq <= seq) ?? episode[0];
  }
  if (row?.type === "item" && row.item.type === "end")
    return views.findLast(({ level }) => level === "halt") ?? views.at(-1);
  const lastSeq = row?.type === "fold" ? (row.calls.at(-1)?.seq ?? seq) : seq; // a refused call comes before its notice
  return (
    views.findLast((view) => !view.isLimit && view.seq <= lastSeq) ??
    views.findLast((view) => view.seq <= lastSeq) ??
    views[0]
  );
}
