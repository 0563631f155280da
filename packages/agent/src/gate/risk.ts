import type { Tier } from "./gate.ts";

/** How much harm something could do, and why, in a sentence for the user. */
export interface Risk {
  readonly tier: Tier;
  readonly reason: string;
  /** It writes to a file outside the workspace, which confined tools never do. */
  readonly isOutside?: true;
}

export const reading: Risk = { tier: 0, reason: "Only reads." };
export const editing: Risk = { tier: 1, reason: "Changes files in the workspace." };
export const building: Risk = { tier: 2, reason: "Runs the project's own code in the workspace." };

/** The risk of something that reaches beyond the workspace. */
export function beyond(reason: string): Risk {
  return { tier: 3, reason };
}

/** The risk of something destructive or not fully understood. */
export function unclear(reason: string): Risk {
  return { tier: 4, reason };
}

/** The risk with the highest tier; of equal ones the first. */
export function highestRisk(risks: readonly Risk[], lowest: Risk = reading): Risk {
  return risks.reduce((highest, risk) => (risk.tier > highest.tier ? risk : highest), lowest);
}

/** A value from a command line for messages: short, and with every hidden character escaped. */
export function printable(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short)
    .slice(1, -1)
    .replace(/[^\x20-\x7e…\p{L}\p{N}]/gu, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`);
}
