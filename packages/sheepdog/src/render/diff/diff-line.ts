import type { DiffLine } from "@sheepdog/agent/timeline";

export type { DiffLine } from "@sheepdog/agent/timeline";

/** A note between the lines of a change. */
export function note(text: string): DiffLine {
  return { sign: "…", text };
}

/** The numbers of added and removed lines: `+3 -1`. */
export function changeCount(lines: readonly DiffLine[]): string {
  const count = (sign: DiffLine["sign"]) => lines.filter((line) => line.sign === sign).length;
  return `+${count("+")} -${count("-")}`;
}
