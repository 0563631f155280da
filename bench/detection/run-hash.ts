import { createHash } from "node:crypto";
import { stable } from "./rules/keys.ts";

/** The hash of a run as parsed from its line: a label holds for the run with this hash only. */
export function runHash(run: unknown): string {
  return createHash("sha256").update(stable(run)).digest("hex").slice(0, 32);
}
