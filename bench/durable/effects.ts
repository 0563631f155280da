import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const fileName = "effects.txt";

/** Records one effect of the tool: a line in a file, which survives a crash of the process. */
export function addEffect(folder: string): void {
  appendFileSync(join(folder, fileName), "done\n");
}

/** How many effects the tool has had. */
export function countEffects(folder: string): number {
  const path = join(folder, fileName);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}
