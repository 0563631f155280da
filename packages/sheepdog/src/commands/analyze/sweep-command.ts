import type { Io } from "../../io.ts";
import type { SweepOptions } from "./sweep-options.ts";

/** Compares limits over recorded runs. */
export async function sweepCommand(_paths: readonly string[], _options: SweepOptions, _io: Io): Promise<number> {
  return 0;
}
