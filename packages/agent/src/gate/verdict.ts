import type { Tier } from "./gate.ts";

/** How much harm something could do, and why, in a sentence for people. */
export interface Verdict {
  readonly tier: Tier;
  readonly reason: string;
  /** It writes to a file outside of the workspace: some tools never do. */
  readonly isOutside?: true;
}

export const reading: Verdict = { tier: 0, reason: "Only reads." };
export const editing: Verdict = { tier: 1, reason: "Changes files in the workspace." };
export const building: Verdict = { tier: 2, reason: "Runs the project's own code in the workspace." };

/** Reaches beyond the workspace. */
export function beyond(reason: string): Verdict {
  return { tier: 3, reason };
}

/** Not fully understood, or destructive. */
export function unclear(reason: string): Verdict {
  return { tier: 4, reason };
}

/** The most harmful of them; of equals the first. */
export function worst(verdicts: readonly Verdict[], least: Verdict = reading): Verdict {
  return verdicts.reduce((sofar, next) => (next.tier > sofar.tier ? next : sofar), least);
}

/** A value from a command line as people can see it: short, and no character hidden. */
export function shown(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short)
    .slice(1, -1)
    .replace(/[^\x20-\x7e…\p{L}\p{N}]/gu, (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`);
}
