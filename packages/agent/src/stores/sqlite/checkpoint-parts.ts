import type { Checkpoint } from "../stores.ts";

type GuardianState = Checkpoint["guardian"];

/**
 * What a checkpoint has besides what its guardian shares with the state that was written whole. The guardian's state never changes, and the next one is made
 * of most of its parts. A part that is the same one is named in `same`; of a list that has lost some at its beginning and got some at its end, `lists` says
 * where the shared ones begin in the earlier list, how many they are, and what comes after them.
 */
export function changesText({ runId, turn, guardian, total, costNanoUsd, recovered }: Checkpoint, whole: GuardianState): string {
  const before = whole as unknown as Readonly<Record<string, unknown>>; // both by the names of their parts
  const now = guardian as unknown as Readonly<Record<string, unknown>>;
  let state = "";
  let same = "";
  let lists = "";
  for (const name in now) {
    const part = now[name];
    if (part === undefined) continue;
    let text = "0"; // its place among the others
    if (typeof part === "object" && part !== null) {
      const earlier = before[name];
      if (part === earlier || (isEmpty(part) && isEmpty(earlier))) same += `,"${name}"`;
      else if (Array.isArray(part) && Array.isArray(earlier)) lists += `,"${name}":${listText(part, earlier)}`;
      else text = JSON.stringify(part);
    } else text = JSON.stringify(part);
    state += `,"${name}":${text}`;
  }
  const rest = JSON.stringify({ runId, turn, total, costNanoUsd, recovered });
  return `${rest.slice(0, -1)},"guardian":{${state.slice(1)}},"same":[${same.slice(1)}],"lists":{${lists.slice(1)}}}`;
}

/** The checkpoint that was written in two parts: the text of a whole one, and what had changed since. Throws where they do not fit together. */
export function checkpointOf(whole: string, changes: string): Checkpoint {
  const before = (JSON.parse(whole) as { readonly guardian: Readonly<Record<string, unknown>> }).guardian;
  const { guardian, same, lists, ...rest } = JSON.parse(changes) as Changes; // both as they are written above
  for (const name of same) {
    if (before[name] === undefined) throw new Error(`Expected ${name} in the whole checkpoint.`);
    guardian[name] = before[name];
  }
  for (const [name, [first, count, more]] of Object.entries(lists)) guardian[name] = [...partOf(before[name], first, count), ...more];
  return { ...rest, guardian: guardian as unknown as GuardianState };
}

interface Changes extends Omit<Checkpoint, "guardian"> {
  readonly guardian: Record<string, unknown>;
  readonly same: readonly string[];
  readonly lists: Readonly<Record<string, readonly [first: number, count: number, more: readonly unknown[]]>>;
}

function partOf(list: unknown, first: number, count: number): readonly unknown[] {
  if (!Array.isArray(list) || list.length < first + count) throw new Error(`Expected a list of ${first + count} or more.`);
  return list.slice(first, first + count);
}

function isEmpty(part: unknown): boolean {
  return Array.isArray(part) && part.length === 0;
}

function listText(list: readonly unknown[], earlier: readonly unknown[]): string {
  const [first, count] = shared(list, earlier);
  let more = "";
  for (let index = count; index < list.length; index += 1) more += `${index === count ? "" : ","}${itemText(list[index])}`;
  return `[${first},${count},[${more}]]`;
}

/** Where the beginning of a list lies in an earlier one, and for how many of its items the two go on alike. */
function shared(list: readonly unknown[], earlier: readonly unknown[]): readonly [first: number, count: number] {
  const first = list.length === 0 ? -1 : earlier.indexOf(list[0]);
  if (first < 0) return [0, 0];
  let count = 1;
  while (count < list.length && first + count < earlier.length && list[count] === earlier[first + count]) count += 1;
  return [first, count];
}

/** What came after the shared ones is written turn by turn until a whole checkpoint is: its text is made once. */
const made = new WeakMap<object, string>();

function itemText(item: unknown): string {
  if (typeof item !== "object" || item === null) return JSON.stringify(item);
  const known = made.get(item);
  if (known !== undefined) return known;
  const text = JSON.stringify(item);
  made.set(item, text);
  return text;
}
