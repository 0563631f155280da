import type { InterventionView } from "../../../contract/index.ts";
import { type Between, betweenOf } from "./between.ts";
import { type Call, isLook } from "./call.ts";
import { type FoldRange, findFolds } from "./find-folds.ts";
import type { Item, ItemOf } from "./item.ts";
import { rowFinder } from "./row-finder.ts";
import { assignSteps, isStep, type Step } from "./story-steps.ts";

interface Base {
  /** Stays the same when the story grows. */
  readonly key: string;
  readonly seq: number;
  readonly at: number;
  /** The first and the last item that it shows. */
  readonly from: number;
  readonly to: number;
}

/** A row of the story. */
export type Row = Base &
  (
    | { readonly type: "item"; readonly item: Item }
    | { readonly type: "look"; readonly calls: readonly Call[] }
    | { readonly type: "notes"; readonly notes: readonly ItemOf<"note">[] }
    | {
        readonly type: "fold";
        readonly calls: readonly Call[];
        readonly endAt: number;
        readonly episodes: readonly string[];
        readonly steps: readonly Step[];
        readonly between: readonly Between[];
        readonly isRecovered: boolean;
      }
  );
export type RowOf<Type extends Row["type"]> = Extract<Row, { readonly type: Type }>;

/** The rows of the story, and where each event is in it. */
export interface Story {
  readonly rows: readonly Row[];
  /** The index of the row that shows an event, by its sequence number; -1 if there is none. */
  readonly rowOf: (seq: number) => number;
}

/** Texts up to this length between two looks belong to them. */
const MAX_ASIDE_CHARS = 200;

/** Folds the items of a run into a story. */
export function buildStory(items: readonly Item[], interventions: readonly InterventionView[]): Story {
  const folds = findFolds(items, interventions);
  const stepsOfFold = assignSteps(items, folds);
  const taken = new Set([...stepsOfFold.values()].flat());
  const rows: Row[] = [];
  let fold = 0;
  let index = 0;
  while (index < items.length) {
    const range = folds[fold];
    const item = items[index];
    if (item === undefined) break;
    if (range !== undefined && range.start === index) {
      rows.push(foldRow(items, range, stepsOfFold.get(range) ?? []));
      index = range.end + 1;
      fold += 1;
      continue;
    }
    const until = range?.start ?? items.length;
    const row = taken.has(index) ? undefined : groupRow(items, index, until);
    if (row !== undefined) rows.push(row);
    index = row === undefined ? index + 1 : row.to + 1;
  }
  return { rows, rowOf: rowFinder(items, rows, stepsOfFold) };
}

/** A group of looks or notes that begins here, or the item alone. */
function groupRow(items: readonly Item[], index: number, until: number): Row | undefined {
  const item = items[index];
  if (item === undefined || isSilent(item)) return undefined;
  if (item.type === "guardian" && !isStep(item)) {
    const end = items.findIndex((later, place) => place > index && place <= index + 3 && later.type === "end");
    const last = items[end];
    if (last !== undefined)
      return { type: "item", key: `e${last.seq}`, seq: last.seq, at: last.at, from: index, to: end, item: last };
  }
  const base = { key: `e${item.seq}`, seq: item.seq, at: item.at, from: index };
  if (item.type === "call" && isLook(item.call)) {
    const { calls, to } = looksFrom(items, index, until);
    if (calls.length >= 2) return { ...base, type: "look", to, calls };
  }
  if (item.type === "note" && item.topic !== null) {
    const notes = notesFrom(items, index, until);
    if (notes.length >= 2) return { ...base, type: "notes", to: index + notes.length - 1, notes };
  }
  return { ...base, type: "item", to: index, item };
}

function looksFrom(items: readonly Item[], from: number, until: number): { calls: readonly Call[]; to: number } {
  const calls: Call[] = [];
  let to = from;
  for (let index = from; index < until; index += 1) {
    const item = items[index];
    if (item?.type === "call" && isLook(item.call)) {
      calls.push(item.call);
      to = index;
      continue;
    }
    if (item === undefined || !isAside(item)) break;
  }
  return { calls, to };
}

/** Items without a row: thinking, and a judge that has nothing to decide yet. The lane of the goal shows those. */
function isSilent(item: Item): boolean {
  return item.type === "thinking" || (item.type === "verdict" && item.verdict.verdict === "continue");
}

function isAside(item: Item): boolean {
  return isSilent(item) || (item.type === "text" && item.length <= MAX_ASIDE_CHARS);
}

function notesFrom(items: readonly Item[], from: number, until: number): readonly ItemOf<"note">[] {
  const notes: ItemOf<"note">[] = [];
  for (let index = from; index < until; index += 1) {
    const item = items[index];
    const first = notes[0];
    if (item?.type !== "note" || (first !== undefined && item.topic !== first.topic)) break;
    notes.push(item);
  }
  return notes;
}

function foldRow(items: readonly Item[], range: FoldRange, stepIndexes: readonly number[]): Row {
  const [first] = range.calls;
  const last = range.calls.at(-1);
  const steps = stepIndexes.flatMap((index) => {
    const item = items[index];
    return item !== undefined && isStep(item) ? [item] : [];
  });
  return {
    type: "fold",
    key: `e${first?.seq ?? 0}`,
    seq: first?.seq ?? 0,
    at: first?.at ?? 0,
    endAt: (last?.at ?? 0) + (last?.ms ?? 0),
    from: range.start,
    to: range.end,
    calls: range.calls,
    episodes: range.episodes,
    steps,
    between: betweenOf(items, range),
    isRecovered: steps.some(({ type }) => type === "recovered"),
  };
}
