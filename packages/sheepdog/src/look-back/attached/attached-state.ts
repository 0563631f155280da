import { outcomes, type Reason } from "@sheepdog/agent";
import type { AttachedGuardian } from "@sheepdog/records";
import type { SummaryState } from "../../saved-runs/run-state.ts";

/** An agent that has written nothing for this long has ended without a word: a call seldom takes longer. */
export const SILENT_MS = 30 * 60_000;

interface AttachedSession {
  readonly guardian?: Pick<AttachedGuardian, "activity" | "lastAt">;
  readonly outcome?: string | undefined;
}

/** How a session of an attached agent stands. */
export interface AttachedState {
  readonly state: SummaryState;
  /** Why the agent stopped working; undefined while it works, and if this is unknown. */
  readonly reason: Reason | undefined;
}

/** The state of a session that hooks recorded, as far as its newest line tells it. */
export function attachedState({ guardian, outcome }: AttachedSession, now: number): AttachedState {
  const reason = outcome !== undefined && Object.hasOwn(outcomes, outcome) ? (outcome as Reason) : undefined; // checked
  if (guardian?.activity === "working") {
    const isSilent = (guardian.lastAt ?? 0) < now - SILENT_MS;
    return { state: isSilent ? "broken_off" : "running", reason: undefined };
  }
  return { state: reason === undefined ? "completed" : outcomes[reason].state, reason };
}
