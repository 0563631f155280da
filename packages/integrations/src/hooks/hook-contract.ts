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
  /** What the first line of the recording contains if no person can be asked. */
  readonly headlessMark?: string;
  /** Where an answer to a call does not end the work: always, or only with a person at the screen. */
  readonly continues?: "always" | "attended";
  /** What a person does to end the work: "press Esc". */
  readonly howToStop: string;
  /** Reads what the agent wrote to stdin; a sentence if it is not of this contract. Unknown fields are ignored. */
  read(input: unknown): HookEvent | string;
  /** What the agent honours in the answer to this event, with a person at its screen or without. */
  honours(event: HookEvent, attended: boolean): Honours;
  /** Writes an answer that has only parts which the agent honours. No answer at all must be valid as well. */
  write(event: HookEvent, answer: HookAnswer): HookOutput;
}
