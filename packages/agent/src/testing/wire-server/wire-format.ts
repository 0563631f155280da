import type { ContentStep } from "../reply-steps.ts";
import type { Frame } from "./frame.ts";

/** The names of the wire formats the server speaks. */
export type WireFormatName = "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini";

/** What a reply is about. */
export interface ReplyHead {
  /** The number of the request, from 0: ids are made of it. */
  readonly index: number;
  readonly model: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Something the provider complains about. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  /** The word some formats add, such as `context_length_exceeded`. */
  readonly code?: string;
}

/** One provider's way to stream a reply over HTTP. */
export interface WireFormat {
  readonly name: WireFormatName;
  /** The model a request is for, undefined where the request is not of this format. */
  modelOf(path: string, body: Readonly<Record<string, unknown>>): string | undefined;
  /** Whether the request asks for a stream, the only thing the server does. */
  asksForStream(body: Readonly<Record<string, unknown>>): boolean;
  readonly lineEnd: "\n" | "\r\n";
  readonly contentType: string;
  /** A sign of life without content. */
  readonly ping: Frame;
  /** How the provider says that the prompt does not fit. */
  readonly contextTooLong: Problem;
  /** Puts the steps of one reply into events, called with each in order. */
  writer(head: ReplyHead): (step: ContentStep) => readonly Frame[];
  /** The body of an HTTP error. */
  errorBody(problem: Problem): unknown;
  /** An error inside a stream. */
  errorFrame(problem: Problem): Frame;
}
