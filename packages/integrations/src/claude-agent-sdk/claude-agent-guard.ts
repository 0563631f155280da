import type { Guardian, Stop } from "@sheepdog/guardian";
import type { GuardState } from "../guard/loop-guard.ts";
import type { HookOutput } from "./hook-output.ts";

/** The events at which the guard has a hook. */
export type HookName =
  | "PreToolUse"
  | "PostToolUse"
  | "PostToolUseFailure"
  | "PostToolBatch"
  | "SubagentStart"
  | "SubagentStop"
  | "Stop";

/** For `options.hooks` of `query`. */
export type Hooks = Record<HookName, { hooks: ((input: unknown) => Promise<HookOutput>)[] }[]>;

/** The state of a guard: plain JSON, to be saved with the id of the session. */
export interface ClaudeAgentGuardState extends GuardState {
  /** Those of the subagents that are running, by their ids. */
  readonly subagents: Readonly<Record<string, GuardState>>;
}

/** The guardian inside `query`; one for each session. */
export interface ClaudeAgentGuard {
  /** For `options.hooks`. Hooks of the program go beside them, event by event. */
  readonly hooks: Hooks;
  /** Reads the usage of a message that `query` returned. Limits of tokens and money need it. */
  observe(message: unknown): void;
  /** The same messages, each observed: `for await (const message of guard.watch(query(…)))`. */
  watch<Message>(messages: AsyncIterable<Message>): AsyncGenerator<Message, void>;
  /** A person has written; excuses looking again. */
  userMessage(): void;
  /** Set once the guardian has stopped the run. */
  readonly stop: Stop | undefined;
  /** The guardian of the main agent, for everything else. */
  readonly guardian: Guardian;
  snapshot(): ClaudeAgentGuardState;
}
