import type { Origin, Status, ToolKind } from "@sheepdog/guardian";

/** A call as a hook reports it. */
export interface HookCall {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
  /** What the call does, where the agent's tool is known better than by its name. */
  readonly kind?: ToolKind;
}

/** The result of a call as the end of a turn reports it. */
export interface HookResult {
  readonly call: HookCall;
  /** Absent where the agent does not state it. */
  readonly status?: Status;
  readonly content: unknown;
}

/** What a session has used so far. */
export interface HookUsage {
  /** Tokens that were read from the cache or written to it are included. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** Null if it is unknown. */
  readonly costNanoUsd: number | null;
}

/** What every event of a coding agent says. */
interface HookFrame {
  /** The name of the event in the agent's own words: `PreToolUse`. */
  readonly name: string;
  /** The agent's own id of the session. */
  readonly session: string;
  /** The subagent that reports; absent for the main agent. */
  readonly subagent?: string;
  readonly cwd?: string;
  /** The file in which the agent records the session. */
  readonly recording?: string;
  readonly model?: string;
  /** The agent never asks a person in this session, whatever the terminal: every approval is given in advance. */
  readonly asksNobody?: true;
  /** Tells this event from a later one with the same call, where the agent gives calls no ids. */
  readonly key?: string;
  /** Totals of the session, where the agent itself reports them. */
  readonly usage?: HookUsage;
}

/** A hook event of any coding agent, in one form. */
export type HookEvent = HookFrame &
  (
    | { readonly type: "session-start" }
    | { readonly type: "prompt"; readonly text: string; readonly origin: Origin }
    | { readonly type: "before-call"; readonly call: HookCall }
    | { readonly type: "after-call"; readonly call: HookCall; readonly status: Status; readonly content: unknown }
    /** All calls of the turn have their results. Results that no `after-call` reported are here. */
    | {
        readonly type: "turn-end";
        readonly results: readonly HookResult[];
      }
    /** The agent wants to end its work. */
    | {
        readonly type: "stop";
        readonly text: string;
        /** It continued before because a hook asked it to. */
        readonly isContinued: boolean;
        /** It waits for commands or subagents in the background. */
        readonly isWaiting: boolean;
      }
    | { readonly type: "subagent-start"; readonly id: string }
    | { readonly type: "subagent-end"; readonly id: string }
    | { readonly type: "compacted" }
    /** The agent waits for a person: an approval, or the next prompt. */
    | { readonly type: "waiting"; readonly for: "approval" | "nothing" }
    | { readonly type: "session-end" }
    /** A known event that says nothing to the guardian. */
    | { readonly type: "other" }
  );

export type HookEventType = HookEvent["type"];
