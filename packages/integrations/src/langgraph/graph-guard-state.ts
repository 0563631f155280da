import type { Stop } from "@sheepdog/guardian";
import type { GuardOptions } from "../guard/guard-options.ts";
import type { GuardState } from "../guard/loop-guard.ts";
import type { PlacedNotice } from "../guard/placed-notice.ts";

/** The options of a guard whose state is part of the state of a graph. The guard names the runs itself. */
export type GraphGuardOptions = Omit<GuardOptions, "state" | "run">;

/** What the state of a graph stores for the guard: plain JSON, so that any checkpointer can save it. */
export interface GraphGuardState {
  /** The name of the run: one prompt of a person and everything that it leads to. */
  readonly run: string;
  /** Absent before the first turn. */
  readonly guard?: GuardState | undefined;
  /** The id of the newest message that the guard has read. */
  readonly lastMessageId?: string | undefined;
  /** The ids of calls that are being executed. */
  readonly openCalls: readonly string[];
  /** The messages for refused calls of the newest reply, by call id. */
  readonly refusals: Readonly<Record<string, string>>;
  /** Notices that are added to each request, as they are not part of the messages. */
  readonly placed: readonly PlacedNotice[];
  /** Set once the guardian has ended the run. */
  readonly stop?: Stop | undefined;
}

/** A value from the state of a graph; undefined if it is none of a guard. `createLoopGuard` checks the rest of it. */
export function readGraphGuardState(value: unknown): GraphGuardState | undefined {
  const { run, openCalls, refusals, placed } = (value ?? {}) as Partial<GraphGuardState>; // checked in the next lines
  const isComplete = typeof run === "string" && Array.isArray(openCalls) && Array.isArray(placed);
  return isComplete && typeof refusals === "object" && refusals !== null ? (value as GraphGuardState) : undefined;
}
