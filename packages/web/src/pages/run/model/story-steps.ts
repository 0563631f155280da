import type { FoldRange } from "./find-folds.ts";
import type { Item, ItemOf } from "./item.ts";

/** A step of the guardian or of the user within a fold. */
export type Step = ItemOf<"guardian" | "recovered" | "answer" | "muted" | "opinion">;

/**
 * The steps of each fold: those within it, and later ones about its episode up to the next fold about it. The end of
 * the run has a row of its own, so the halt that caused it is no step.
 */
export function assignSteps(
  items: readonly Item[],
  folds: readonly FoldRange[],
): ReadonlyMap<FoldRange, readonly number[]> {
  const steps = new Map<FoldRange, number[]>();
  let next = 0;
  const begun: FoldRange[] = [];
  items.forEach((item, index) => {
    for (let fold = folds[next]; fold !== undefined && fold.start <= index; fold = folds[next]) {
      begun.push(fold);
      next += 1;
    }
    if (!isStep(item)) return;
    const episode = episodeOf(item);
    const inside = begun.at(-1);
    const about = begun.findLast(({ episodes }) => episode !== undefined && episodes.includes(episode));
    const fold = about ?? (inside !== undefined && index <= inside.end ? inside : undefined);
    if (fold === undefined) return;
    steps.set(fold, [...(steps.get(fold) ?? []), index]);
  });
  return steps;
}

/** Whether an item is a step. */
export function isStep(item: Item): item is Step {
  if (item.type === "guardian") return !(item.intervention.level === "halt" && isApplied(item));
  return item.type === "recovered" || item.type === "answer" || item.type === "muted" || item.type === "opinion";
}

function isApplied({ intervention }: ItemOf<"guardian">): boolean {
  return intervention.isApplied && intervention.effect === "stop";
}

/** The episode that an item is about: the first part of the id of an intervention or of a request. */
function episodeOf(item: Item): string | undefined {
  switch (item.type) {
    case "guardian":
      return item.intervention.id.split("/")[0];
    case "recovered":
      return item.episode;
    case "answer":
      return item.interventionId?.split("/")[0];
    case "muted":
      return item.episode ?? undefined;
    case "opinion":
      return item.opinion.request.split("/")[0];
    default:
      return undefined;
  }
}
