import { z } from "zod";
import { dottedKey } from "./dotted-key.ts";

/** Which keys of a table need or exclude each other. */
export interface TableRules {
  /** Exactly one key of each group must be set. */
  readonly oneOf: readonly (readonly string[])[];
  /** Of each group at most one key may be set. */
  readonly atMostOneOf?: readonly (readonly string[])[];
  /** A key that only has a meaning beside another one. */
  readonly onlyWith?: Readonly<Record<string, string>>;
}

/** The rules of tables, by their schema. */
export const tableRules = z.registry<TableRules>();

/** A sentence about a key, or about the whole table, to follow its name. */
export interface RuleProblem {
  readonly key?: string;
  readonly sentence: string;
}

/** Finds the rules that a table with these keys breaks. */
export function findRuleProblems(
  { oneOf, atMostOneOf = [], onlyWith = {} }: TableRules,
  keys: ReadonlySet<string>,
): readonly RuleProblem[] {
  return [
    ...oneOf.filter((group) => !group.some((key) => keys.has(key))).map(missing),
    ...oneOf.flatMap((group) => excluded(group, keys, "exactly one of")),
    ...atMostOneOf.flatMap((group) => excluded(group, keys, "at most one of")),
    ...Object.entries(onlyWith)
      .filter(([key, other]) => keys.has(key) && !keys.has(other))
      .map(([key, other]) => ({ key, sentence: `has ${dottedKey([key])}, which needs ${other}` })),
  ];
}

function missing(group: readonly string[]): RuleProblem {
  return { sentence: `needs exactly one of ${group.join(", ")}` };
}

function excluded(group: readonly string[], keys: ReadonlySet<string>, expected: string): readonly RuleProblem[] {
  const [first, ...others] = [...keys].filter((key) => group.includes(key));
  return others.map((key) => ({ key, sentence: `has ${first} and ${key}; it needs ${expected} ${group.join(", ")}` }));
}
