import { existsSync } from "node:fs";
import { packageRoot } from "../src/package-root.ts";

/** Whether the binary is built. Without it its tests are skipped; in CI, that would hide all of them. */
export const isBuilt = builtOrFail(existsSync(new URL("dist/cli.js", packageRoot)), process.env);

/** Throws in CI if the binary is not built. */
export function builtOrFail(isThere: boolean, { CI: ci = "" }: NodeJS.ProcessEnv): boolean {
  if (isThere) return true;
  const problem = "The binary is not built, so its tests cannot run. Run: npm run build";
  if (ci !== "" && ci !== "false") throw new Error(problem);
  console.warn(problem);
  return false;
}
