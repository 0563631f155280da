import type { PathUse, Tier } from "../gate.ts";
import type { PatternName } from "./patterns.ts";

/** How much harm something could do, and why, in a sentence for the user. */
export interface Risk {
  readonly tier: Tier;
  readonly reason: string;
  /** It writes to a file outside the workspace, which confined tools never do. */
  readonly isOutside?: true;
  /** The injection and destruction patterns in it, by name. */
  readonly patterns?: readonly string[];
  /** The files it would use, as far as they are known. */
  readonly paths?: readonly PathUse[];
}

export const reading: Risk = { tier: 0, reason: "Only reads." };
export const editing: Risk = { tier: 1, reason: "Changes files in the workspace." };
export const building: Risk = { tier: 2, reason: "Runs the project's own code in the workspace." };

/** The risk of something that reaches beyond the workspace; `pattern` names it, if it is a known one. */
export function beyond(reason: string, pattern?: PatternName): Risk {
  return { tier: 3, reason, ...(pattern === undefined ? {} : { patterns: [pattern] }) };
}

/** The risk of something destructive or not fully understood; `pattern` names it, if it is a known one. */
export function unclear(reason: string, pattern?: PatternName): Risk {
  return { tier: 4, reason, ...(pattern === undefined ? {} : { patterns: [pattern] }) };
}

/** The risk with the highest tier, of equal ones the first, with the patterns and paths of all. */
export function highestRisk(risks: readonly Risk[], lowest: Risk = reading): Risk {
  const highest = risks.reduce((previous, risk) => (risk.tier > previous.tier ? risk : previous), lowest);
  const patterns = [...new Set(risks.flatMap((risk) => risk.patterns ?? []))];
  const paths = uniquePaths(risks.flatMap((risk) => risk.paths ?? []));
  return {
    ...highest,
    ...(patterns.length === 0 ? {} : { patterns }),
    ...(paths.length === 0 ? {} : { paths }),
  };
}

function uniquePaths(paths: readonly PathUse[]): readonly PathUse[] {
  return [...new Map(paths.map((use) => [`${use.access} ${use.path}`, use])).values()];
}

/** A value from a command line for messages: short, and with every hidden character escaped. */
export function printable(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short)
    .slice(1, -1)
    .replace(/[^\x20-\x7e…\p{L}\p{N}]/gu, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`);
}
