import type { SweepBy } from "../../look-back/sweep.ts";
import type { InputOptions } from "./input-options.ts";

/** What limits are compared by. */
export const sweepKinds = ["calls", "cost", "turns"] as const satisfies readonly SweepBy[];

/** The options of `sheepdog analyze sweep`. */
export interface SweepOptions extends InputOptions {
  readonly by?: SweepBy;
  /** The limit of which the configuration is printed. */
  readonly limit?: string;
  readonly json?: true;
}
