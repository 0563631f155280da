import type { AgentEvent, FileChange } from "@sheepdog/agent";
import type { WireEvent } from "@sheepdog/web/contract";
import { type DiffEffort, diffOf, recordedChange } from "./wire-event-diff.ts";

/** Characters of a whole event as JSON. */
const MAX_EVENT_CHARS = 64_000;

/** How much of a value is kept. */
interface Limits {
  /** Characters of a text. */
  readonly chars: number;
  /** Elements of an array, and fields of an object. */
  readonly items: number;
  /** Levels of an object. */
  readonly depth: number;
}

/** The first with which an event is small enough is used. */
const allLimits: readonly Limits[] = [
  { chars: 4_000, items: 1_000, depth: 20 },
  { chars: 1_000, items: 100, depth: 8 },
  { chars: 200, items: 20, depth: 5 },
  { chars: 60, items: 5, depth: 4 },
];

/** Of the content of a call, the beginning and the end are kept: the end has the error. */
const HEAD_SHARE = 0.375;

const MAX_DIFF_LINES = 80;
const MAX_DIFF_CHARS = 16_000;
const MAX_LINE_CHARS = 1_000;
/** The reader of the stream makes the diffs of all runs. */
const diffEffort: DiffEffort = { maxEdits: 400, maxMs: 10, maxChars: 40_000 };

/**
 * An event as the API sends it, of a bounded size: long texts and lists are cut, and the details of a call are replaced
 * by its diff.
 */
export function toWireEvent(event: AgentEvent): WireEvent {
  const { details, ...rest } = event as AgentEvent & { readonly details?: unknown };
  const change = details === undefined ? undefined : recordedChange(details);
  const diff = change === undefined ? {} : { diff: shortDiff(change) };
  for (const limits of allLimits) {
    const cuts: Record<string, number> = {};
    const slim = cutValue(rest, { path: "", cuts, depth: 0, limits }) as AgentEvent; // same shape, less of it
    const wire = { ...slim, ...(Object.keys(cuts).length > 0 ? { cut: cuts } : {}), ...diff };
    if (JSON.stringify(wire).length <= MAX_EVENT_CHARS) return wire;
  }
  return withoutLargeFields(rest);
}

/** Of a change that is too large to be compared only the beginning is shown. */
function shortDiff(change: FileChange): NonNullable<WireEvent["diff"]> {
  const { before, after } = change;
  const isLarge = before.length + after.length > diffEffort.maxChars;
  const half = MAX_DIFF_CHARS / 2;
  const shown = isLarge ? { ...change, before: before.slice(0, half), after: after.slice(0, half) } : change;
  const { path, lines } = diffOf(shown, diffEffort);
  let chars = 0;
  const short = lines.slice(0, MAX_DIFF_LINES).map((each) => ({ ...each, text: each.text.slice(0, MAX_LINE_CHARS) }));
  const fitting = short.filter(({ text }) => {
    chars += text.length;
    return chars <= MAX_DIFF_CHARS;
  });
  const isCut = isLarge || fitting.length < lines.length || lines.some(({ text }) => text.length > MAX_LINE_CHARS);
  return { path: path.slice(0, 1_000), lines: fitting, isCut };
}

interface Place {
  /** The names of the fields down to here, with dots. */
  readonly path: string;
  readonly cuts: Record<string, number>;
  readonly depth: number;
  readonly limits: Limits;
}

function cutValue(value: unknown, place: Place): unknown {
  const { path, cuts, depth, limits } = place;
  if (typeof value === "string") return cutText(value, place);
  if (typeof value !== "object" || value === null) return value;
  const below = (name: string): Place => ({ ...place, path: path === "" ? name : `${path}.${name}`, depth: depth + 1 });
  const isArray = Array.isArray(value);
  const entries = isArray ? [...value.entries()] : Object.entries(value);
  const isTooMany = depth > 0 && entries.length > limits.items;
  if (depth > limits.depth || isTooMany) cuts[path] = entries.length;
  if (depth > limits.depth) return isArray ? [] : {};
  const kept = isTooMany ? entries.slice(0, limits.items) : entries;
  const changed = kept.map(([name, each]): [string | number, unknown] => [name, cutValue(each, below(String(name)))]);
  if (!isTooMany && changed.every(([, each], index) => each === kept[index]?.[1])) return value;
  return isArray ? changed.map(([, each]) => each) : Object.fromEntries(changed);
}

function cutText(text: string, { path, cuts, limits: { chars } }: Place): string {
  if (text.length <= chars) return text;
  cuts[path] = text.length;
  if (path !== "content") return wholeCharacters(text.slice(0, chars));
  const headChars = Math.round(chars * HEAD_SHARE);
  const tail = text.slice(headChars - chars).replace(/^[\udc00-\udfff]/, "");
  return `${wholeCharacters(text.slice(0, headChars))}\n…\n${tail}`;
}

/** A surrogate pair is not cut in two. */
function wholeCharacters(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "");
}

/** An event that stays too large, such as one with very long names of fields: only its small fields are sent. */
function withoutLargeFields(event: AgentEvent): WireEvent {
  const sizes = Object.entries(event).map(([name, value]) => ({
    name,
    value,
    chars: JSON.stringify(value)?.length ?? 0,
  }));
  const small = sizes.filter(({ name, chars }) => chars <= 2_000 && name.length <= 100).slice(0, 25);
  const large = sizes.filter((field) => !small.includes(field)).slice(0, 25);
  return {
    ...Object.fromEntries(small.map(({ name, value }) => [name, value])),
    ...(large.some(({ name }) => name === "input") ? { input: {} } : {}),
    cut: Object.fromEntries(large.map(({ name, chars }) => [name.slice(0, 100), chars])),
  } as WireEvent; // the head of an event is small
}
