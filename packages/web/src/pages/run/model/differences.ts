import { counted } from "../../../format/amounts.ts";
import { clock } from "../../../format/times.ts";
import type { Call } from "./call.ts";
import { errorLine } from "./error-line.ts";
import { tokensOf } from "./text-tokens.ts";
import { timeText } from "./time-text.ts";

/** What differs between the occurrences of a fold, for some of them. */
export interface Differences {
  /** The occurrences that are compared, as indexes. */
  readonly columns: readonly number[];
  readonly rows: readonly DifferenceRow[];
}

/** A field with its values; `same` if all occurrences have one value. */
type DifferenceRow =
  | { readonly name: string; readonly values: readonly string[] }
  | { readonly name: string; readonly same: string };

/** Occurrences that are compared with the first; in a longer fold, some spread over it. */
const MAX_COMPARED = 60;
const MAX_ROWS = 7;
const MAX_VALUE_CHARS = 60;

/** Compares inputs, times and outputs of equal or nearly equal calls. */
export function differencesOf(calls: readonly Call[]): Differences {
  const columns = columnsOf(calls.length);
  const compared = sample(calls);
  const shown = columns.map((index) => calls[index]).filter((call) => call !== undefined);
  const values = (name: string, fieldOf: (call: Call) => string): DifferenceRow => ({
    name,
    values: shown.map((call) => shortened(fieldOf(call))),
  });
  const isEqual = (fieldOf: (call: Call) => string) => new Set(compared.map(fieldOf)).size === 1;
  const input = inputRows(compared, values, isEqual);
  const output = outputRows(compared, shown, calls.length);
  const hasDurations = shown.every(({ ms }) => ms !== null) && !isEqual(tookText);
  const isFailing = compared.every(({ isFailed }) => isFailed);
  const statusOf = ({ status }: Call) => status ?? "running";
  const sameNames = [
    ...input.same,
    ...(isEqual(statusOf) ? [isFailing ? "outcome" : "status"] : []),
    ...(isFailing && isEqual(({ content }) => errorLine(content)) ? ["error"] : []),
    ...(isEqual(({ content }) => content) ? ["output"] : []),
  ];
  const isTimed = shown.every(({ at }) => timeText(at) !== null);
  const started = isTimed ? [values("started", ({ at }) => clock(at, true))] : [];
  const took = hasDurations ? [values("took", tookText)] : [];
  const times = [...started, ...took];
  return {
    columns,
    rows: [
      ...started,
      ...input.rows,
      ...(isEqual(statusOf) ? [] : [values("status", statusOf)]),
      ...output.filter((row) => "values" in row && !times.some((known) => repeats(known, row))),
      ...took,
      ...output.filter((row) => "same" in row),
      ...(sameNames.length === 0 ? [] : [{ name: sameNames.join(", "), same: `the same in all ${calls.length}` }]),
    ],
  };
}

/** Whether a field of the output only repeats a time that has a row already. */
function repeats(known: DifferenceRow, row: DifferenceRow): boolean {
  if (!("values" in known) || !("values" in row)) return false;
  return row.values.every((value, index) => known.values[index] === value || known.values[index] === `${value} s`);
}

/** The first, the fourth, the middle and the last of many; all of a few. */
export function columnsOf(count: number): readonly number[] {
  if (count <= 4) return Array.from({ length: count }, (_, index) => index);
  return [...new Set([0, 3, Math.floor(count / 2), count - 1])].sort((a, b) => a - b);
}

function sample(calls: readonly Call[]): readonly Call[] {
  if (calls.length <= MAX_COMPARED) return calls;
  const step = (calls.length - 1) / (MAX_COMPARED - 1);
  return Array.from({ length: MAX_COMPARED }, (_, index) => calls[Math.round(index * step)]).filter(
    (call) => call !== undefined,
  );
}

function tookText({ ms }: Call): string {
  if (ms === null) return "still running";
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** The arguments that differ, each in a row, and the names of those that do not. */
function inputRows(
  calls: readonly Call[],
  values: (name: string, fieldOf: (call: Call) => string) => DifferenceRow,
  isEqual: (fieldOf: (call: Call) => string) => boolean,
): { readonly rows: readonly DifferenceRow[]; readonly same: readonly string[] } {
  const names = [...new Set(calls.flatMap(({ input }) => Object.keys(fieldsOf(input))))];
  const fieldOf = (name: string) => (call: Call) => textOf(fieldsOf(call.input)[name]);
  const differing = names.filter((name) => !isEqual(fieldOf(name)));
  return {
    rows: differing.slice(0, MAX_ROWS).map((name) => values(name, fieldOf(name))),
    same: names.filter((name) => !differing.includes(name)).slice(0, 3),
  };
}

/**
 * The tokens of the outputs that differ, named by the words before them, and numbers that stayed the same. Outputs of
 * different shapes are one row.
 */
function outputRows(compared: readonly Call[], shown: readonly Call[], count: number): readonly DifferenceRow[] {
  const lists = compared.map(({ content }) => tokensOf(content));
  const [first = []] = lists;
  if (new Set(compared.map(({ content }) => content)).size === 1) return [];
  if (lists.some((list) => list.length !== first.length)) {
    const lines = ({ content }: Call) =>
      `${counted(content.split("\n").length, "line")}, "${errorLine(content).slice(0, 28)}"`;
    return [{ name: "output", values: shown.map((call) => shortened(lines(call))) }];
  }
  const shownLists = shown.map(({ content }) => tokensOf(content));
  const rows: DifferenceRow[] = [];
  const numbers: DifferenceRow[] = [];
  const names = new Set<string>();
  first.forEach((value, index) => {
    const isNumber = /^\d/.test(value);
    const isSame = lists.every((list) => list[index] === value);
    if (isSame && (!isNumber || numbers.length >= 2 || value.length < 2)) return;
    const name = nameOf(first, index);
    if (names.has(name) || rows.length >= MAX_ROWS) return;
    if (!isSame) {
      names.add(name);
      rows.push({ name, values: shownLists.map((list) => shortened(list[index] ?? "")) });
      return;
    }
    const after = nameAfter(first, index);
    if (after === undefined) return;
    names.add(name);
    numbers.push({ name: after, same: `${value} in all ${count}` });
  });
  return [...rows, ...numbers];
}

/** What a value is called: a time by its form, else the word before it in its line. */
function nameOf(tokens: readonly string[], index: number): string {
  if (/^\d{1,2}:\d{2}/.test(tokens[index] ?? "")) return "time in the output";
  if (/^(?:ms|s|sec|secs|seconds|min|minutes)$/.test(tokens[index + 2] ?? "")) return "duration in the output";
  for (let place = index - 1; place >= 0; place -= 1) {
    const text = tokens[place] ?? "";
    if (text.includes("\n")) break;
    if (/^\p{L}/u.test(text)) return text === "pid" ? "process id" : text;
  }
  return nameAfter(tokens, index) ?? "output";
}

/** The one or two words after a number: "rows left". */
function nameAfter(tokens: readonly string[], index: number): string | undefined {
  const words: string[] = [];
  for (const text of tokens.slice(index + 1, index + 6)) {
    if (text.includes("\n") || (!/^\s+$/.test(text) && !/^\p{L}/u.test(text))) break;
    if (/^\p{L}/u.test(text)) words.push(text);
    if (words.length === 2) break;
  }
  return words.length === 0 ? undefined : words.join(" ");
}

function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input !== "object" || input === null) return input === undefined ? {} : { input };
  return input as Readonly<Record<string, unknown>>; // values are unknown
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MAX_VALUE_CHARS ? line : `${line.slice(0, MAX_VALUE_CHARS - 1)}…`;
}
