import type { GuardianState, Policy } from "@sheepdog/guardian";
import type { RecordedRun } from "../trajectory/recorded-run.ts";
import { withoutUnrecordedLimits } from "./unrecorded-limits.ts";

/** Where second opinions about a recording come from. */
interface Opinions {
  readonly isAsking: boolean;
  /** The recording has answers that were given while it ran. */
  readonly isRecorded: boolean;
}

/** The policy for a recording, which cannot be stopped. Without answers, the rules decide alone. */
export function observingPolicy(policy: Policy, { isAsking, isRecorded }: Opinions): Policy {
  const recorded = policy.secondOpinion === "off" ? "before-force" : policy.secondOpinion;
  const secondOpinion = isAsking ? policy.secondOpinion : isRecorded ? recorded : "off";
  return { ...withoutUnrecordedLimits(policy), mode: "observe", secondOpinion };
}

/** Whether the recording has answers to requests for a second opinion. */
export function hasOpinions({ steps }: RecordedRun): boolean {
  return steps.some(({ opinions = [] }) => opinions.length > 0);
}

/** The state without its stop. A limit stops a run in every mode, but the recording continues. */
export function withoutStop(state: GuardianState): GuardianState {
  if (state.stopped === undefined) return state;
  const { stopped: _, ...running } = state;
  return running;
}
