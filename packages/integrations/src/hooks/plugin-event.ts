import type { HookAnswer } from "./hook-answer.ts";

/** A call as the plugin reports it. */
export interface PluginCall {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
}

/** What a session has used so far, by opencode's own figures. */
export interface PluginUsage {
  /** Tokens that were read from the cache or written to it are included. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Tokens of thinking are included. */
  readonly outputTokens: number;
  readonly costUsd: number;
}

/** The names of the events, which are those of opencode's callbacks and events. */
export const pluginEvents = [
  "session.created",
  "chat.message",
  "tool.execute.before",
  "tool.execute.after",
  "experimental.chat.messages.transform",
  "permission.asked",
  "session.compacted",
  "session.idle",
] as const;

/** What the plugin writes to the stdin of `sheepdog hook opencode`: one JSON object for each event. */
export interface PluginEvent {
  readonly version: 1;
  readonly event: (typeof pluginEvents)[number];
  /** The session that the user sees. */
  readonly session: string;
  /** The session of a subagent. */
  readonly subagent?: string;
  readonly directory: string;
  readonly model?: string;
  /** The prompt at `chat.message`, and the newest reply at `session.idle`. */
  readonly text?: string;
  /** At `tool.execute.before` and `tool.execute.after`. */
  readonly call?: PluginCall;
  /** The output at `tool.execute.after`. */
  readonly output?: string;
  /** The exit code of a command at `tool.execute.after`. */
  readonly exitCode?: number;
  /** Failed calls at `experimental.chat.messages.transform`; opencode has no callback for them. */
  readonly failed?: readonly { readonly call: PluginCall; readonly error: string }[];
  readonly usage?: PluginUsage;
}

/** What the plugin reads from stdout: one JSON object, or nothing. */
export type PluginAnswer = Omit<HookAnswer, "ask">;
