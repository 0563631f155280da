import type { InterventionView } from "../../../contract/index.ts";
import type { Span } from "./axis.ts";
import type { Row } from "./story.ts";

/** Occurrences. A shorter repetition stays true to scale. */
const MIN_OCCURRENCES = 12;
/** Occurrences that stay visible at each end of a stretch. */
const MARGIN = 2;

/**
 * The stretches that "fold repeats" compresses: where a fold only repeats itself, between two steps of the guardian
 * about it.
 */
export function foldSpans(rows: readonly Row[], interventions: readonly InterventionView[]): readonly Span[] {
  return rows.flatMap((row) => {
    if (row.type !== "fold" || row.calls.length < MIN_OCCURRENCES) return [];
    const steps = interventions.filter(({ episode, isLimit }) => !isLimit && row.episodes.includes(episode));
    const anchors = [row.at, ...steps.map(({ at }) => at), row.endAt].sort((a, b) => a - b);
    return anchors.slice(1).flatMap((to, index) => {
      const from = anchors[index] ?? to;
      const inside = row.calls.filter(({ at }) => at > from && at < to);
      const [first, last] = [inside[MARGIN], inside.at(-1 - MARGIN)];
      if (inside.length < MIN_OCCURRENCES || first === undefined || last === undefined) return [];
      return [{ from: first.at, to: last.at }];
    });
  });
}
