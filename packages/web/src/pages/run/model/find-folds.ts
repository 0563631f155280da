import type { InterventionView } from "../../../contract/index.ts";
import { type Call, isLook } from "./call.ts";
import type { Item } from "./item.ts";

/** A stretch of the story that repeats equal calls. Indexes are those of the items. */
export interface FoldRange {
  readonly start: number;
  readonly end: number;
  readonly calls: readonly Call[];
  /** The episodes of the guardian that are about these calls. */
  readonly episodes: readonly string[];
}

/** Items. A longer stretch between two occurrences is a story of its own. */
const MAX_GAP = 14;
/** Without the guardian, equal calls are folded from this number on. */
const MIN_EQUAL = 3;

/**
 * Finds repetition: the calls of each episode that the guardian noticed, with everything in between; and runs of equal
 * calls without a change of a file in between. Folds do not overlap and are in order.
 */
export function findFolds(items: readonly Item[], interventions: readonly InterventionView[]): readonly FoldRange[] {
  const places = placesByKey(items);
  const noticed = episodeFolds(items, interventions, places);
  const equal = [...places.values()].flatMap((indexes) => equalFolds(items, indexes));
  const folds: FoldRange[] = [];
  for (const fold of [...noticed.sort(byStart), ...equal.sort(byStart)])
    if (!folds.some((other) => fold.start <= other.end && other.start <= fold.end)) folds.push(fold);
  return folds.sort(byStart);
}

function byStart(a: FoldRange, b: FoldRange): number {
  return a.start - b.start || b.end - a.end;
}

/** Calls that ran, by tool and input. */
function placesByKey(items: readonly Item[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  items.forEach((item, index) => {
    if (item.type !== "call") return;
    const key = foldKey(item.call);
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  });
  return places;
}

/** Refused calls are folded apart from those that ran. */
function foldKey(call: Call): string {
  return `${call.refusedBy === null ? "ran" : "refused"} ${call.key}`;
}

function episodeFolds(
  items: readonly Item[],
  interventions: readonly InterventionView[],
  places: ReadonlyMap<string, readonly number[]>,
): FoldRange[] {
  const byCall = new Map<string, string>();
  for (const { episode, callIds, isLimit } of interventions)
    if (!isLimit) for (const callId of callIds) byCall.set(callId, episode);
  const indexesByEpisode = new Map<string, Set<number>>();
  items.forEach((item, index) => {
    const episode = item.type === "call" && item.call.refusedBy === null ? byCall.get(item.call.callId) : undefined;
    if (episode === undefined || item.type !== "call") return;
    const indexes = indexesByEpisode.get(episode) ?? new Set<number>();
    indexesByEpisode.set(episode, indexes);
    indexes.add(index);
  });
  const recoveredAt = new Map(
    items.flatMap((item, index) => (item.type === "recovered" ? [[item.episode, index] as const] : [])),
  );
  return [...indexesByEpisode].flatMap(([episode, seen]) => {
    const first = Math.min(...seen);
    const last = recoveredAt.get(episode) ?? items.length;
    const keys = new Set([...seen].map((index) => keyAt(items, index)));
    const isFailing = [...seen].every((index) => isFailedAt(items, index));
    const indexes = [...keys]
      .flatMap((key) => places.get(key) ?? [])
      .filter((index) => index >= first && index < last && (!isFailing || isFailedAt(items, index)))
      .sort((a, b) => a - b);
    return chunks(items, indexes)
      .filter(({ calls }) => calls.length >= 2)
      .map((fold) => ({ ...fold, episodes: [episode] }));
  });
}

/** Whether the call at this place failed; one that succeeds at last is no repetition of its failures. */
function isFailedAt(items: readonly Item[], index: number): boolean {
  const item = items[index];
  return item?.type === "call" && item.call.isFailed;
}

function keyAt(items: readonly Item[], index: number): string {
  const item = items[index];
  return item?.type === "call" ? foldKey(item.call) : "";
}

/** Splits occurrences where much else happened in between, and at a new prompt. */
function chunks(items: readonly Item[], indexes: readonly number[]): FoldRange[] {
  return collectFolds(items, indexes, ({ end }, _, index) => !hasPrompt(items, end, index));
}

/** Puts calls into folds: one that is near joins the fold before it where `belongs` agrees. */
function collectFolds(
  items: readonly Item[],
  indexes: readonly number[],
  belongs: (fold: FoldRange, call: Call, index: number) => boolean,
): FoldRange[] {
  const folds: { start: number; end: number; calls: Call[]; episodes: string[] }[] = [];
  for (const index of indexes) {
    const item = items[index];
    if (item?.type !== "call") continue;
    const last = folds.at(-1);
    if (last !== undefined && index - last.end <= MAX_GAP && belongs(last, item.call, index)) {
      last.calls.push(item.call);
      last.end = index;
    } else folds.push({ start: index, end: index, calls: [item.call], episodes: [] });
  }
  return folds;
}

function hasPrompt(items: readonly Item[], from: number, to: number): boolean {
  for (let index = from; index < to; index += 1) {
    const type = items[index]?.type;
    if (type === "prompt" || type === "said") return true;
  }
  return false;
}

/** Runs of equal calls with equal outcomes, with only texts and looks in between. */
function equalFolds(items: readonly Item[], indexes: readonly number[]): readonly FoldRange[] {
  const first = items[indexes[0] ?? -1];
  if (indexes.length < 2 || first?.type !== "call" || isLook(first.call)) return []; // looks have groups of their own
  const folds = collectFolds(
    items,
    indexes,
    ({ calls, end }, { status }, index) => calls.at(-1)?.status === status && isQuiet(items, end + 1, index),
  );
  const isRefused = folds[0]?.calls[0]?.refusedBy !== null;
  return folds.filter(({ calls }) => calls.length >= (isRefused ? 2 : MIN_EQUAL));
}

/** Whether nothing happened that changes the outcome of a call. */
function isQuiet(items: readonly Item[], from: number, to: number): boolean {
  for (let index = from; index < to; index += 1) {
    const item = items[index];
    if (item?.type === "prompt" || item?.type === "said" || item?.type === "end") return false;
    if (item?.type === "call" && item.call.refusedBy === null && item.call.kind !== "read" && item.call.kind !== "poll")
      return false;
  }
  return true;
}
