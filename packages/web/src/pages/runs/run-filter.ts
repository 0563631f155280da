/** What the filter asks the API for. */
export interface RunFilterQuery {
  readonly text?: string;
  readonly state?: State;
  readonly project?: string;
  readonly model?: string;
  readonly source?: string;
  readonly guardian?: GuardianFilter;
  readonly minCostUsd?: number;
  readonly maxCostUsd?: number;
  readonly since?: number;
}

export const states = ["live", "waiting", "completed", "stopped", "failed"] as const;
export const guardianFilters = ["any", "none", "hint", "warn", "block", "halt", "limit"] as const;
type State = (typeof states)[number];
type GuardianFilter = (typeof guardianFilters)[number];

const filterKeys = ["state", "project", "model", "source", "guardian", "cost", "since"] as const;
export type FilterKey = (typeof filterKeys)[number];

interface Term {
  readonly key: FilterKey | undefined;
  readonly value: string;
}

/**
 * Reads the filter: words, and terms such as `state:live project:"my shop" cost:>1 guardian:halt since:7d`. The last
 * term of a kind wins. A term that cannot be read is left out, and `problem` says why.
 */
export function parseRunFilter(
  filter: string,
  now: number,
): { readonly query: RunFilterQuery; readonly problem: string | undefined } {
  const words: string[] = [];
  let query: RunFilterQuery = {};
  let problem: string | undefined;
  for (const { key, value } of readTerms(filter)) {
    if (key === undefined) words.push(value);
    else {
      const read = readTerm(key, value, now);
      if (typeof read === "string") problem ??= read;
      else query = { ...query, ...read };
    }
  }
  return { query: words.length === 0 ? query : { ...query, text: words.join(" ") }, problem };
}

/** The value of a term, for the menu that writes it. */
export function filterTerm(filter: string, key: FilterKey): string | undefined {
  return readTerms(filter).findLast((term) => term.key === key)?.value;
}

/** The filter with a term set to a value, or without it. */
export function withFilterTerm(filter: string, key: FilterKey, value: string | undefined): string {
  const others = readTerms(filter).filter((term) => term.key !== key);
  const terms = value === undefined ? others : [...others, { key, value }];
  return terms.map(writeTerm).join(" ");
}

function readTerms(filter: string): readonly Term[] {
  return [...filter.matchAll(/(?:[a-z]+:)?"[^"]*"?|\S+/gi)].flatMap(([written]): readonly Term[] => {
    const [, name = "", rest = ""] = /^([a-z]+):(.*)$/i.exec(written) ?? [];
    const key = filterKeys.find((each) => each === name.toLowerCase());
    const value = (key === undefined ? written : rest).replace(/^"([^"]*)"?$/, "$1");
    return value === "" ? [] : [{ key, value }]; // without a value it is still being written
  });
}

function writeTerm({ key, value }: Term): string {
  const text = /\s/.test(value) ? `"${value}"` : value;
  return key === undefined ? text : `${key}:${text}`;
}

function readTerm(key: FilterKey, value: string, now: number): RunFilterQuery | string {
  switch (key) {
    case "project":
    case "model":
    case "source":
      return { [key]: value };
    case "state": {
      const state = states.find((each) => each === value);
      return state === undefined ? unknownValue("state", states) : { state };
    }
    case "guardian": {
      const guardian = guardianFilters.find((each) => each === value);
      return guardian === undefined ? unknownValue("guardian", guardianFilters) : { guardian };
    }
    case "cost":
      return readCost(value) ?? "Write cost:>1, cost:<5 or cost:1..5, in dollars.";
    case "since":
      return readSince(value, now) ?? "Write since:24h, since:7d or a date such as since:2026-11-01.";
    default:
      return key satisfies never;
  }
}

function unknownValue(key: string, values: readonly string[]): string {
  return `Write ${key}: with one of ${values.join(", ")}.`;
}

function readCost(value: string): RunFilterQuery | undefined {
  const range = /^\$?(\d+(?:\.\d+)?)\.\.\$?(\d+(?:\.\d+)?)$/.exec(value);
  if (range !== null) return { minCostUsd: Number(range[1]), maxCostUsd: Number(range[2]) };
  const bound = /^([<>])=?\$?(\d+(?:\.\d+)?)$/.exec(value);
  if (bound === null) return undefined;
  return bound[1] === ">" ? { minCostUsd: Number(bound[2]) } : { maxCostUsd: Number(bound[2]) };
}

function readSince(value: string, now: number): RunFilterQuery | undefined {
  const span = /^(\d{1,4})([hd])$/.exec(value);
  if (span?.[2] === "h") return { since: now - Number(span[1]) * 3_600_000 };
  if (span !== null) {
    const day = new Date(now);
    return { since: new Date(day.getFullYear(), day.getMonth(), day.getDate() - Number(span[1]) + 1).getTime() };
  }
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (date === null) return undefined;
  return { since: new Date(Number(date[1]), Number(date[2]) - 1, Number(date[3])).getTime() };
}
