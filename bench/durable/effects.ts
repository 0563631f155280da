import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The tool does what it does: a line more in a file, which no crash of its process takes back. */
export function addEffect(folder: string): void {
  appendFileSync(join(folder, name), "done\n");
}

/** How often it did. */
export function effectsIn(folder: string): number {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

const name = "effects.txt";
