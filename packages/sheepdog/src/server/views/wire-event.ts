import type { AgentEvent } from "@sheepdog/agent";
import type { WireEvent } from "@sheepdog/web/contract";
import { diffOf, recordedChange } from "./wire-event-diff.ts";

/** Characters of a text. */
const MAX_CHARS = 4_000;
/** Of the content of a call, the beginning and the end are kept: the end has the error. */
const HEAD_CHARS = 1_500;
const TAIL_CHARS = 2_500;
const MAX_DIFF_LINES = 80;
/** Levels of an input below which texts are not cut. */
const MAX_DEPTH = 20;

/** An event as the API sends it: long texts are cut, and the details of a call are replaced by its diff. */
export function toWireEvent(event: AgentEvent): WireEvent {
  const cuts: Record<string, number> = {};
  const { details, ...rest } = event as AgentEvent & { readonly details?: unknown };
  const slim = cutTexts(rest, { path: "", cuts, depth: 0 }) as AgentEvent; // same shape, shorter texts
  const change = details === undefined ? undefined : recordedChange(details);
  const hasCuts = Object.keys(cuts).length > 0;
  if (change === undefined) return hasCuts ? { ...slim, cut: cuts } : slim;
  const { path, lines } = diffOf(change);
  const diff = { path, lines: lines.slice(0, MAX_DIFF_LINES), isCut: lines.length > MAX_DIFF_LINES };
  return { ...slim, ...(hasCuts ? { cut: cuts } : {}), diff };
}

interface Place {
  /** The names of the fields down to here, with dots. */
  readonly path: string;
  readonly cuts: Record<string, number>;
  readonly depth: number;
}

function cutTexts(value: unknown, place: Place): unknown {
  if (typeof value === "string") return cutText(value, place);
  if (typeof value !== "object" || value === null || place.depth > MAX_DEPTH) return value;
  const below = (name: string): Place => ({
    ...place,
    path: place.path === "" ? name : `${place.path}.${name}`,
    depth: place.depth + 1,
  });
  if (Array.isArray(value)) return mapped(value, (each, index) => cutTexts(each, below(String(index))));
  const entries = Object.entries(value);
  const changed = mapped(entries, (entry) => {
    const cut = cutTexts(entry[1], below(entry[0]));
    return cut === entry[1] ? entry : ([entry[0], cut] as [string, unknown]);
  });
  return changed === entries ? value : Object.fromEntries(changed);
}

function cutText(text: string, { path, cuts }: Place): string {
  if (text.length <= MAX_CHARS) return text;
  cuts[path] = text.length;
  if (path !== "content") return wholeCharacters(text.slice(0, MAX_CHARS));
  const tail = text.slice(-TAIL_CHARS).replace(/^[\udc00-\udfff]/, "");
  return `${wholeCharacters(text.slice(0, HEAD_CHARS))}\n…\n${tail}`;
}

/** A surrogate pair is not cut in two. */
function wholeCharacters(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "");
}

/** The same array if no element changes, so that most events are passed on as they are. */
function mapped<Item>(items: readonly Item[], map: (item: Item, index: number) => Item): readonly Item[] {
  let changed: Item[] | undefined;
  for (const [index, item] of items.entries()) {
    const next = map(item, index);
    if (next !== item) changed ??= items.slice(0, index);
    changed?.push(next);
  }
  return changed ?? items;
}
