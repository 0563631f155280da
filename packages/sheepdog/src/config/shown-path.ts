import { isAbsolute, relative } from "node:path";
import { plainText } from "../render/terminal/plain-text.ts";

/** A path as it is printed: relative to the current folder if the file is below it. */
export function shownPath(file: string, cwd: string): string {
  const fromCwd = relative(cwd, file);
  return plainText(fromCwd === "" || fromCwd.startsWith("..") || isAbsolute(fromCwd) ? file : fromCwd);
}
