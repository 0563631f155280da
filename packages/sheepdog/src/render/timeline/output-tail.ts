import { plainText } from "../terminal/plain-text.ts";

/** Characters. Enough for the lines that a screen shows. */
const MAX_CHARS = 4_096;

/** The end of the output of a running call, after a new part of it. */
export function appendOutput(output: string, added: string): string {
  return (output + added).slice(-MAX_CHARS);
}

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
