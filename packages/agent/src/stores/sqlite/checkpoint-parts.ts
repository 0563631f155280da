import type { Checkpoint } from "../stores.ts";

type GuardianState = Checkpoint["guardian"];

/** All of a checkpoint. */
export function wholeText({ guardian, ...rest }: Checkpoint): string {
  const state = partsOf(guardian);
  const fields: string[] = [];
  for (const name of Object.keys(state)) addField(fields, name, state[name]);
  return `${JSON.stringify(rest).slice(0, -1)},"guardian":{${fields.join(",")}}}`;
}

/**
 * What a checkpoint has besides what its guardian shares with the state that was written whole. The guardian's state never changes, and the next one is made
 * of most of its parts. A part that is the same one is named in `same`; of a list that has lost some at its beginning and got some at its end, `lists` says
 * where the shared ones begin in the earlier list, how many they are, and what comes after them.
 */
export function changesText({ guardian, ...rest }: Checkpoint, whole: GuardianState): string {
  const [state, before] = [partsOf(guardian), partsOf(whole)];
  const [fields, same, lists]: [string[], string[], string[]] = [[], [], []];
  for (const name of Object.keys(state)) {
    const part = state[name];
    const earlier = before[name];
    if (isSame(part, earlier)) same.push(`"${name}"`);
    else if (Array.isArray(part) && Array.isArray(earlier)) lists.push(`"${name}":${listText(part, earlier)}`);
    else {
      addField(fields, name, part);
      continue;
    }
    fields.push(`"${name}":0`); // its place among the others
  }
  return `${JSON.stringify(rest).slice(0, -1)},"guardian":{${fields.join(",")}},"same":[${same.join(",")}],"lists":{${lists.join(",")}}}`;
}

/** The checkpoint that was written in two parts: the text of a whole one, and what had changed since. Throws where they do not fit together. */
export function checkpointOf(whole: string, changes: string): Checkpoint {
  const before = (JSON.parse(whole) as { readonly guardian: Readonly<Record<string, unknown>> }).guardian;
  const { guardian, same, lists, ...rest } = JSON.parse(changes) as Changes; // both as they are written above
  for (const name of same) {
    if (before[name] === undefined) throw new Error(`Expected ${name} in the whole checkpoint.`);
    guardian[name] = before[name];
  }
  for (const [name, [first, count, more]] of Object.entries(lists))
    guardian[name] = [...partOf(before[name], first, count), ...more];
  return { ...rest, guardian: guardian as unknown as GuardianState };
}

interface Changes extends Omit<Checkpoint, "guardian"> {
  readonly guardian: Record<string, unknown>;
  readonly same: readonly string[];
  readonly lists: Readonly<Record<string, readonly [first: number, count: number, more: readonly unknown[]]>>;
}

function partOf(list: unknown, first: number, count: number): readonly unknown[] {
  if (!Array.isArray(list) || list.length < first + count)
    throw new Error(`Expected a list of ${first + count} or more.`);
  return list.slice(first, first + count);
}

function partsOf(state: GuardianState): Readonly<Record<string, unknown>> {
  return state as unknown as Readonly<Record<string, unknown>>; // whatever its fields are named
}

/** Whether a part was written before; what is neither object nor list is always written. */
function isSame(part: unknown, earlier: unknown): boolean {
  return typeof part === "object" && part !== null && (part === earlier || (isEmpty(part) && isEmpty(earlier)));
}

function isEmpty(part: unknown): boolean {
  return Array.isArray(part) && part.length === 0;
}

/** As JSON has it: what it cannot say is left out. */
function addField(fields: string[], name: string, part: unknown): void {
  const text = textOf(part);
  if (text !== undefined) fields.push(`"${name}":${text}`);
}

function textOf(part: unknown): string | undefined {
  if (typeof part === "boolean" || (typeof part === "number" && Number.isFinite(part))) return `${part}`;
  return Array.isArray(part) ? `[${itemTexts(part, 0)}]` : JSON.stringify(part);
}

function listText(list: readonly unknown[], earlier: readonly unknown[]): string {
  const [first, count] = shared(list, earlier);
  return `[${first},${count},[${itemTexts(list, count)}]]`;
}

function itemTexts(list: readonly unknown[], from: number): string {
  let texts = "";
  for (let index = from; index < list.length; index += 1)
    texts += `${index === from ? "" : ","}${itemText(list[index])}`;
  return texts;
}

/** Where the beginning of a list lies in an earlier one, and for how many of its items the two go on alike. */
function shared(list: readonly unknown[], earlier: readonly unknown[]): readonly [first: number, count: number] {
  const first = list.length === 0 ? -1 : earlier.indexOf(list[0]);
  if (first < 0) return [0, 0];
  let count = 1;
  while (count < list.length && first + count < earlier.length && list[count] === earlier[first + count]) count += 1;
  return [first, count];
}

/** An item is written turn by turn until a whole checkpoint is, and then in that: its text is made once. */
const made = new WeakMap<object, string>();

function itemText(item: unknown): string {
  if (typeof item !== "object" || item === null) return JSON.stringify(item) ?? "null";
  const known = made.get(item);
  if (known !== undefined) return known;
  const text = JSON.stringify(item);
  made.set(item, text);
  return text;
}
