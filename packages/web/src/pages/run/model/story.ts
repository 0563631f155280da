import type { InterventionView } from "../../../contract/index.ts";
import { type Call, isLook } from "./call.ts";
import { type FoldRange, findFolds } from "./find-folds.ts";
import type { Item, ItemOf } from "./item.ts";

/** A step of the guardian or of the user within a fold. */
export type Step = ItemOf<"guardian" | "recovered" | "answer" | "muted" | "opinion">;

/** Equal things that lay between the occurrences of a fold. */
export interface Between {
  readonly kind: "call" | "text";
  readonly text: string;
  readonly count: number;
  readonly call: Call | null;
  /** Whether all of them had the same result. */
  readonly isSame: boolean;
}

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

/**
 * The steps of each fold: those within it, and later ones about its episode up to the next fold about it. The end of
 * the run has a row of its own, so the halt that caused it is no step.
 */
function assignSteps(items: readonly Item[], folds: readonly FoldRange[]): ReadonlyMap<FoldRange, readonly number[]> {
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

function isStep(item: Item): item is Step {
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

const MAX_BETWEEN = 8;

/** What lay between the occurrences, by how often, with texts that differ in little taken together. */
function betweenOf(items: readonly Item[], { start, end, calls }: FoldRange): readonly Between[] {
  const own = new Set(calls.map(({ callId }) => callId));
  const groups = new Map<
    string,
    { kind: Between["kind"]; text: string; call: Call | null; results: Set<string>; count: number }
  >();
  for (let index = start; index <= end; index += 1) {
    const item = items[index];
    if (item?.type === "call" && !own.has(item.call.callId)) {
      const { call } = item;
      const key = call.kind === "edit" ? `${call.tool} ${call.text}` : call.key;
      const group = groups.get(key) ?? { kind: "call" as const, text: call.text, call, results: new Set(), count: 0 };
      groups.set(key, group);
      group.results.add(call.kind === "edit" ? call.key : masked(call.content));
      group.count += 1;
    } else if (item?.type === "text") {
      const key = `text ${masked(item.text).slice(0, 24)}`;
      const group = groups.get(key) ?? {
        kind: "text" as const,
        text: item.text,
        call: null,
        results: new Set(),
        count: 0,
      };
      groups.set(key, group);
      group.results.add(item.text);
      group.count += 1;
    }
  }
  return [...groups.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_BETWEEN)
    .map(({ results, ...group }) => ({ ...group, isSame: results.size === 1 }));
}

/** A text without the numbers that differ from call to call. */
export function masked(text: string): string {
  return text.slice(0, 1_000).replace(/\d+/g, "0").replace(/\s+/g, " ").trim();
}

/** Finds rows by sequence numbers; an event without a row belongs to the row before it. */
function rowFinder(
  items: readonly Item[],
  rows: readonly Row[],
  stepsOfFold: ReadonlyMap<FoldRange, readonly number[]>,
): (seq: number) => number {
  let index:
    | { readonly seqs: readonly number[]; readonly rows: readonly number[]; readonly exact: Map<number, number> }
    | undefined;
  const build = () => {
    const rowOfItem = new Map<number, number>();
    rows.forEach((row, place) => {
      for (let item = row.from; item <= row.to; item += 1) rowOfItem.set(item, place);
    });
    const rowOfStart = new Map(rows.map((row, place) => [row.from, place]));
    for (const [fold, steps] of stepsOfFold)
      for (const step of steps) rowOfItem.set(step, rowOfStart.get(fold.start) ?? -1);
    const exact = new Map<number, number>();
    const pairs: (readonly [number, number])[] = [];
    items.forEach((item, place) => {
      const row = rowOfItem.get(place);
      if (row === undefined) return;
      exact.set(item.seq, row);
      if (item.type === "call" && item.call.endSeq !== null) exact.set(item.call.endSeq, row);
      pairs.push([item.seq, row]);
    });
    pairs.sort(([a], [b]) => a - b);
    return { seqs: pairs.map(([seq]) => seq), rows: pairs.map(([, row]) => row), exact };
  };
  return (seq) => {
    index ??= build();
    const exact = index.exact.get(seq);
    if (exact !== undefined) return exact;
    const after = index.seqs.findIndex((each) => each > seq);
    const place = after < 0 ? index.seqs.length - 1 : Math.max(0, after - 1);
    return index.rows[place] ?? -1;
  };
}
