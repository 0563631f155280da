import type { Status } from "@sheepdog/guardian";

/** The sender of a user-role message: "person" for the user, another origin for internal messages. */
export type MessageOrigin = "person" | "automatic" | "scheduled" | "guardian";

interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** Reasoning of the model. Some providers require it back together with their metadata (a signature). */
export interface ThinkingPart {
  readonly type: "thinking";
  readonly text: string;
  readonly providerMetadata?: unknown;
}

/** A tool call. `id` is unique in the session; it is replaced when the provider's id is missing or already used. */
export interface CallPart {
  readonly type: "call";
  readonly id: string;
  readonly tool: string;
  /** The arguments; undefined when they are not a JSON object, as `problem` explains. */
  readonly input: Readonly<Record<string, unknown>> | undefined;
  readonly problem?: string;
  /** The saved arguments had secrets removed, so this call cannot be executed again as it was. */
  readonly isRedacted?: boolean;
  readonly providerMetadata?: unknown;
}

export type ReplyPart = TextPart | ThinkingPart | CallPart;

/**
 * How a reply ended. `length`: at its token limit; `overlong`: cut off here, as it ignored its token limit;
 * `incomplete`: the stream broke off; `interrupted`: the guardian or the user ended it.
 */
export type ReplyStop = "end" | "calls" | "length" | "overlong" | "refused" | "incomplete" | "interrupted";

/** Tokens of one request. `input` includes tokens read from and written to the cache. */
export interface Usage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Counted locally because the provider's figures were missing or implausible. */
  readonly isEstimated: boolean;
}

export interface UserMessage {
  readonly role: "user";
  readonly id: string;
  readonly at: number;
  readonly origin: MessageOrigin;
  readonly text: string;
  /** Why an internal message was added, such as `max_tokens_recovery`. The user does not see internal messages. */
  readonly reason?: string;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly id: string;
  readonly at: number;
  readonly parts: readonly ReplyPart[];
  readonly stop: ReplyStop;
  /** The limit at which it ended was lower than usual, as the budget covered no longer reply. */
  readonly isCutByBudget?: true;
  readonly model: string;
  readonly usage: Usage;
}

/** The result of a call. Every call has exactly one. */
export interface ResultMessage {
  readonly role: "tool";
  readonly id: string;
  readonly at: number;
  readonly callId: string;
  readonly tool: string;
  readonly status: Status;
  /** The text sent to the model. */
  readonly content: string;
}

/** A message of the append-only history. */
export type Message = UserMessage | AssistantMessage | ResultMessage;

/** The calls of a reply, in order. */
export function callsOf(message: AssistantMessage): readonly CallPart[] {
  return message.parts.filter((part) => part.type === "call");
}

/** The text of a reply. */
export function textOf(message: AssistantMessage): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
