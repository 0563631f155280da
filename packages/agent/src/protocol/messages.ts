import type { Status } from "@sheepdog/guardian";

/** Who a user-role message comes from. A guardian's notice and other internal messages are no person's words. */
export type MessageOrigin = "person" | "automatic" | "scheduled" | "guardian";

interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** What a model thought. Some providers want it back with what they attached to it (a signature). */
interface ThinkingPart {
  readonly type: "thinking";
  readonly text: string;
  readonly providerMetadata?: unknown;
}

/** A tool call as the model made it. `id` is unique in the session: ours, where the provider's was missing or used before. */
export interface CallPart {
  readonly type: "call";
  readonly id: string;
  readonly tool: string;
  /** The arguments; undefined where they are no JSON object, and `problem` says why. */
  readonly input: Readonly<Record<string, unknown>> | undefined;
  readonly problem?: string;
  /** Secrets were taken out of the arguments when this was kept: it cannot be run as it was meant any more. */
  readonly isRedacted?: boolean;
  readonly providerMetadata?: unknown;
}

export type ReplyPart = TextPart | ThinkingPart | CallPart;

/** How a reply ended. `incomplete`: the stream broke off without a finish; `interrupted`: the guardian or a person ended it. */
export type ReplyStop = "end" | "calls" | "length" | "refused" | "incomplete" | "interrupted";

/** Tokens of one request. `input` holds cached and written ones as well. */
export interface Usage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** The provider's figures were missing or absurd; these were counted here. */
  readonly isEstimated: boolean;
}

export interface UserMessage {
  readonly role: "user";
  readonly id: string;
  readonly at: number;
  readonly origin: MessageOrigin;
  readonly text: string;
  /** Why an internal message was added, such as `max_tokens_recovery`; those are not shown to people. */
  readonly reason?: string;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly id: string;
  readonly at: number;
  readonly parts: readonly ReplyPart[];
  readonly stop: ReplyStop;
  readonly model: string;
  readonly usage: Usage;
}

/** What came of a call. Every call has exactly one. */
export interface ResultMessage {
  readonly role: "tool";
  readonly id: string;
  readonly at: number;
  readonly callId: string;
  readonly tool: string;
  readonly status: Status;
  /** What the model reads. */
  readonly content: string;
}

/** A message of the history, which only ever grows. */
export type Message = UserMessage | AssistantMessage | ResultMessage;

/** The calls of a reply, in order. */
export function callsOf(message: AssistantMessage): readonly CallPart[] {
  let calls: CallPart[] | undefined; // nearly always one: an empty list that grows takes room for many
  for (const part of message.parts) {
    if (part.type !== "call") continue;
    if (calls === undefined) calls = [part];
    else calls.push(part);
  }
  return calls ?? [];
}

/** The text of a reply. */
export function textOf(message: AssistantMessage): string {
  let text = "";
  for (const part of message.parts) if (part.type === "text") text += part.text;
  return text;
}
