import type { Honours, HookAnswer, HookOutput } from "./hook-answer.ts";
import type { HookEvent } from "./hook-event.ts";

/** The ids of the coding agents, which are also the `source` of their recordings. */
export const hookAgents = ["claude-code", "codex", "gemini-cli", "cursor", "opencode"] as const;
export type HookAgent = (typeof hookAgents)[number];

/** The contract between a coding agent and its hooks. It only converts: no clock, no state, no I/O. */
export interface HookContract {
  readonly agent: HookAgent;
  /** The name as people write it: "Claude Code". */
  readonly label: string;
  /** The events that have to be attached, in the agent's own words. */
  readonly events: readonly string[];
  /**
   * How the end of a turn is known: by an event of its own, or, where the agent has none, when no call is left without
   * a result.
   */
  readonly turnEnd: "event" | "last-result";
  /** Whether the environment of the hook says that no person can be asked. */
  readonly isHeadless?: (env: Readonly<Record<string, string | undefined>>) => boolean;
  /** Reads what the agent wrote to stdin; a sentence if it is not of this contract. Unknown fields are ignored. */
  read(input: unknown): HookEvent | string;
  /** What the agent honours in the answer to this event. */
  honours(event: HookEvent): Honours;
  /** Writes an answer that has only parts which the agent honours. No answer at all must be valid as well. */
  write(event: HookEvent, answer: HookAnswer): HookOutput;
}
