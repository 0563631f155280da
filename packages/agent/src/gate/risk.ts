import type { Tier } from "./gate.ts";

/** How much harm something could do, and why, in a sentence for people. */
export interface Risk {
  readonly tier: Tier;
  readonly reason: string;
  /** It writes to a file outside of the workspace: some tools never do. */
  readonly isOutside?: true;
}

export const reading: Risk = { tier: 0, reason: "Only reads." };
export const editing: Risk = { tier: 1, reason: "Changes files in the workspace." };
export const building: Risk = { tier: 2, reason: "Runs the project's own code in the workspace." };

/** Reaches beyond the workspace. */
export function beyond(reason: string): Risk {
  return { tier: 3, reason };
}

/** Not fully understood, or destructive. */
export function unclear(reason: string): Risk {
  return { tier: 4, reason };
}

/** The most harmful of them; of equals the first. */
export function highestRisk(verdicts: readonly Risk[], least: Risk = reading): Risk {
  return verdicts.reduce((sofar, next) => (next.tier > sofar.tier ? next : sofar), least);
}

/** A value from a command line as people can see it: short, and no character hidden. */
export function printable(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short)
    .slice(1, -1)
    .replace(/[^\x20-\x7e…\p{L}\p{N}]/gu, (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`);
}
