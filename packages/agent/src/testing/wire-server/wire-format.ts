import type { ContentStep } from "../reply-steps.ts";
import type { Frame } from "./frame.ts";

/** The names of the supported wire formats. */
export type WireFormatName = "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini";

/** The request that a reply belongs to. */
export interface ReplyHead {
  /** The number of the request, from 0; ids contain it. */
  readonly index: number;
  readonly model: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An error that the provider reports. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  /** The error code that some formats add, such as `context_length_exceeded`. */
  readonly code?: string;
}

/** The format in which a provider streams replies over HTTP. */
export interface WireFormat {
  readonly name: WireFormatName;
  /** The model of a request; undefined when the request is not in this format. */
  modelOf(path: string, body: Readonly<Record<string, unknown>>): string | undefined;
  /** Whether the request asks for a stream; the server supports nothing else. */
  asksForStream(body: Readonly<Record<string, unknown>>): boolean;
  readonly lineEnd: "\n" | "\r\n";
  readonly contentType: string;
  /** A ping without content. */
  readonly ping: Frame;
  /** The error for a prompt that is too long. */
  readonly contextTooLong: Problem;
  /** Returns a function that converts the steps of one reply to events, in order. */
  writer(head: ReplyHead): (step: ContentStep) => readonly Frame[];
  /** The body of an HTTP error. */
  errorBody(problem: Problem): unknown;
  /** An error inside a stream. */
  errorFrame(problem: Problem): Frame;
}
