import type { Policy } from "@sheepdog/guardian";
import type { Io } from "../../io.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import type { AnalyzeOptions } from "./analyze-options.ts";

/** What a report may depend on besides the runs. */
export interface ReportContext {
  readonly io: Io;
  readonly options: AnalyzeOptions;
  /** The number of rows and runs that were asked for. */
  readonly top: number | undefined;
  readonly now: number;
  /** The policy by which the runs were judged. */
  readonly policy: Policy;
  /** Whether the places of all agents were searched, and not paths that the user named. */
  readonly isWholeMachine: boolean;
}

/** Prints a look back in one form. */
export type Report = (lookBack: LookBack, context: ReportContext) => Promise<void>;
