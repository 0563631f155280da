import type { Intervention } from "@sheepdog/guardian";
import type { HookAnswer } from "../hook-answer.ts";
import type { UsageTotals } from "./session-usage.ts";

/** What one session of an attached agent remembers between its hooks: plain JSON, without arguments or results. */
export interface SessionState {
  readonly version: 1;
  /** By the id of the subagent; the main agent has an empty one. */
  readonly agents: Readonly<Record<string, AgentState>>;
  /** The newest events with their answers, oldest first: a hook that is attached twice reports each event twice. */
  readonly answered: readonly AnsweredEvent[];
  /** The session line of the spool, as it was written last. */
  readonly described?: string;
  readonly turnEnds: TurnEnds;
  /** The totals at the newest prompt of a person, at which a run begins. */
  readonly usageAtPrompt?: UsageTotals;
  /** The usage line of the spool, as it was written last. */
  readonly usageSaid?: string;
  /** The mistake of the configuration that the user was told. */
  readonly problemSaid?: string;
  /** The main agent has no person at its screen, by its own events. */
  readonly isHeadless?: true;
  /** Messages for the user that wait for an event at which the agent shows them. */
  readonly notices?: readonly string[];
}

/**
 * How the ends of turns are known where the agent has an event for them: `unknown` until it came, or until a call was
 * made after all others had their results.
 */
export type TurnEnds = "unknown" | "event" | "last-result";

/** The main agent or one subagent. */
export interface AgentState {
  /** The snapshot of its guardian. */
  readonly guardian: unknown;
  /** The calls of the current turn by their ids. */
  readonly calls: Readonly<Record<string, CallState>>;
  /** A signal came since the last end of a turn. */
  readonly isTurnOpen: boolean;
  /** Messages for the model that wait for an event at which the agent takes them. */
  readonly tells: readonly Message[];
  /** The intervention whose stop the agent was given when it wanted to end its work. */
  readonly stopSaid?: string;
  /** How many calls were refused since the run had to end, where the agent continues. */
  readonly refusedAtEnd?: number;
  /** What a person is asked about an episode. */
  readonly questions: Readonly<Record<string, string>>;
}

export type CallState =
  | "open"
  | "done"
  | "refused"
  /** A person was asked. The result means that they allowed it. */
  | { readonly asked: string };

/** A message with the id of its intervention. */
export type Message = Pick<Intervention, "id" | "message">;

export interface AnsweredEvent {
  readonly key: string;
  readonly at: number;
  readonly answer: HookAnswer;
}

export const initialSession: SessionState = { version: 1, agents: {}, answered: [], turnEnds: "unknown" };

export const initialAgent: AgentState = { guardian: undefined, calls: {}, isTurnOpen: false, tells: [], questions: {} };

/** A saved state; the initial one if it is none of this version. The guardian checks its own part. */
export function readSessionState(value: unknown): SessionState {
  const { version, agents, answered } = (value ?? {}) as Partial<SessionState>; // checked here
  const isState = version === 1 && typeof agents === "object" && agents !== null && Array.isArray(answered);
  return isState ? (value as SessionState) : initialSession; // written by `answerHook`
}
