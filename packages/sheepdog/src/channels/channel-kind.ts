import type { Action } from "./answers/actions.ts";
import type { IncomingAnswer } from "./answers/incoming-answer.ts";
import type { ChannelSettings } from "./channel-settings.ts";
import type { Notice } from "./notice.ts";

/** A message to send. */
export interface Outgoing {
  /** The same at every attempt. */
  readonly id: string;
  readonly notice: Notice;
  /** Buttons; empty if nobody may answer. */
  readonly actions: readonly Action[];
  /** The id of the request that an answer names. */
  readonly requestId?: string;
}

/**
 * What came of sending. `answer` and `problem` are sentences without secrets. `retry`: it may work later, after the
 * time that the server named. `refused`: it never will.
 */
export type SendResult =
  | { readonly type: "sent"; readonly answer: string; readonly place?: string; readonly messageId?: string }
  | { readonly type: "retry"; readonly problem: string; readonly afterMs?: number }
  | { readonly type: "refused"; readonly problem: string };

/** One kind of channel. It fails with a value, and ends soon after the signal is aborted. */
export interface ChannelKind {
  /** The least time between two messages, so that the vendor's limits are kept. */
  readonly spacingMs: number;
  send(settings: ChannelSettings, outgoing: Outgoing, signal: AbortSignal): Promise<SendResult>;
  /** Asks the server whether the settings work, without sending a message. Absent: nothing can be asked. */
  check?(settings: ChannelSettings, signal: AbortSignal): Promise<SendResult>;
  /** Absent: nobody can answer through this kind, or answers arrive at `serve`. */
  readonly conversation?: Conversation;
}

/** How answers arrive, and are confirmed. */
export interface Conversation {
  /** Reads answers and reconnects until the signal is aborted. */
  read(settings: ChannelSettings, reader: AnswerReader): Promise<void>;
}

export interface AnswerReader {
  readonly signal: AbortSignal;
  /** Called when answers are received from now on. */
  onReady(): void;
  /** Called while answers cannot be received, with a sentence. */
  onProblem(sentence: string): void;
  /** Applies an answer. `confirm` says in the chat what came of it. */
  onAnswer(answer: IncomingAnswer, confirm: Confirm): Promise<void>;
}

/** Says in the chat what came of an answer. */
export type Confirm = (
  text: string,
  result: { readonly isClosed: boolean; readonly isSilent: boolean },
) => Promise<void>;
