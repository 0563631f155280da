import { plainText } from "../terminal/plain-text.ts";

/** The last lines of an output that are not empty, each safe to print. */
export function tailLines(output: string, max: number): readonly string[] {
  return output
    .split("\n")
    .map((line) => plainText(lastWritten(line)))
    .filter((line) => line !== "")
    .slice(-Math.max(0, max) || Number.POSITIVE_INFINITY);
}

/** What a terminal shows of a line that a progress bar overwrites with carriage returns. */
function lastWritten(line: string): string {
  return line.replace(/\r+$/, "").split("\r").at(-1) ?? "";
}
