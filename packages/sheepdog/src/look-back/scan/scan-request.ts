import type { Policy } from "@sheepdog/guardian";
import type { Machine, PriceOverrides } from "@sheepdog/records";

/** What a look back reads, and how it judges. */
export interface ScanRequest {
  readonly machine: Machine;
  /**
   * Files and directories that the user named. Without any, and without standard input, the standard places of all
   * agents are searched.
   */
  readonly paths: readonly string[];
  /** A recording from standard input. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** The id of the only agent that is wanted, as `chooseAgent` returns it. */
  readonly agent?: string;
  /** Whether the folder in which an agent worked is wanted, as `projectFilter` returns it. */
  readonly isProject?: (folder: string | null) => boolean;
  /**
   * The beginning of the time that is wanted, in milliseconds since 1970. Of files unchanged since, only the model
   * requests that they own count.
   */
  readonly since?: number;
  readonly policy: Policy;
  /** The table `budget.pricing_overrides` of the configuration. */
  readonly priceOverrides: PriceOverrides;
  /** `home.lookBackCache`; without it, every file is read. */
  readonly cacheFile?: string;
}
