import type { RunPort } from "../../control/run-port.ts";
import type { Home } from "../../home.ts";
import type { Intent } from "./intent.ts";

/** What somebody sent through a channel, as far as all vendors have it. Nothing in it is trusted. */
export interface IncomingAnswer {
  readonly account: string;
  /** The name of the channel, if the request is unknown. */
  readonly type: string;
  /** Unique at the vendor: the same message is never applied twice. */
  readonly messageId: string;
  readonly sender: string;
  readonly senderName?: string;
  /** The chat it came from. */
  readonly place: string;
  /** What a button sent. */
  readonly button?: { readonly verb: string; readonly requestId: string };
  /** The request that a text answers, if the sender names it. */
  readonly requestId?: string;
  /** What a program wants; the text belongs to it. */
  readonly action?: Intent["action"];
  /** The message that it replies to. */
  readonly replyTo?: string;
  /** The number of a message in a private chat that replies to none; later messages have higher ones. */
  readonly directNumber?: number;
  readonly text?: string;
  readonly isEdited?: boolean;
}

/** What applying an answer needs. */
export interface AnswerContext {
  readonly home: Home;
  readonly port: Pick<RunPort, "send">;
  readonly now: () => number;
  /** Whether some channel of the account names a sender among those who may answer. */
  mayAnswer(sender: string): boolean;
}
