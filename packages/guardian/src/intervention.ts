import type { Finding } from "./judge/finding.ts";
import { known } from "./known.ts";
import type { DetectorName, Effect, Level, LimitName } from "./policy.ts";

/** What the guardian does about a finding or a limit. */
export interface Intervention {
  /** `<episode>/<level>`: saying it twice is saying it once. */
  readonly id: string;
  readonly detector: DetectorName | LimitName;
  readonly level: Level;
  readonly effect: Effect;
  /** 0-based index of the last finished call when this was decided; -1 before the first. */
  readonly call: number;
  /** The calls that show it, oldest first. */
  readonly evidence: readonly number[];
  /** How many equal calls were counted. */
  readonly count: number;
  readonly tool?: string;
  /** The call or the subagent that is refused; absent where the whole episode is meant. */
  readonly denies?: { readonly callId: string };
  /** With `interrupt`: how many characters at the end of the stream are mere repetition. */
  readonly surplus?: number;
  /** For people only: the agent can do nothing about it. */
  readonly isForUser?: true;
  readonly message: string;
  /** What the loop has cost so far, where that is known. */
  readonly costNanoUsd?: number;
  /** False in `observe`: "would have". */
  readonly isApplied: boolean;
}

/** An intervention about a finding. */
export function about(
  finding: Finding,
  how: Omit<Intervention, "detector" | "evidence" | "count" | "tool">,
): Intervention {
  const { detector, evidence, count, tool, surplus, isForUser } = finding;
  return { detector, evidence, count, ...known({ tool: tool || undefined, surplus, isForUser }), ...how };
}
