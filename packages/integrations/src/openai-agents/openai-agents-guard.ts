import type { Guardian, Stop } from "@sheepdog/guardian";
import type { GuardState } from "../guard/loop-guard.ts";
import type { PlacedNotice } from "../guard/placed-notice.ts";
import type { ReportedUsage } from "./usage-reader.ts";

/** The state of a guard: plain JSON, to be saved with the `RunState` of the run. */
export interface OpenAIAgentsGuardState extends GuardState {
  /** Notices that are added to each request, as the SDK does not store them. */
  readonly placed: readonly PlacedNotice[];
  /** The totals of the run that are counted. */
  readonly reportedUsage: ReportedUsage;
}

/** The guardian inside one run. */
export interface OpenAIAgentsGuard {
  /** Calls `start`, which starts the run. Guarded tools and requests find the guard for as long as the run lasts. */
  run<Result>(start: () => Result): Result;
  /** A person has written; excuses looking again. */
  userMessage(): void;
  /** Set once the guardian has ended the run. */
  readonly stop: Stop | undefined;
  /** The guardian itself, for everything else. */
  readonly guardian: Guardian;
  snapshot(): OpenAIAgentsGuardState;
}
