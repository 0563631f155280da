import { fileURLToPath } from "node:url";
import { packageRoot } from "../package-root.ts";
import type { Program } from "./spawn-run.ts";

/** How this program is started in another process. */
export function thisProgram(): Program {
  return [process.execPath, fileURLToPath(new URL("bin/sheepdog.js", packageRoot))];
}
