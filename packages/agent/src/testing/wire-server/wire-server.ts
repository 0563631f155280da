import type { Framing } from "../framing.ts";
import type { AfterLast, ScriptedRequest } from "../script.ts";
import type { Sleep } from "../wait.ts";
import type { WireFormatName } from "./wire-format.ts";

/** How an answer ended: all of it was `sent` (its fault too), the client `left` before, or the server was `closed`. */
export type WireOutcome = "sent" | "left" | "closed";

/** A request as the wire server got it, headers with their keys and all: it is for tests. */
export interface WireRequest extends ScriptedRequest {
  readonly format: WireFormatName;
  /** Path and query. */
  readonly path: string;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly outcome: Promise<WireOutcome>;
}

/** A running wire server. */
export interface WireServer {
  /** Without a path: `${url}/v1` for OpenAI and Anthropic, `${url}/v1beta` for Gemini. */
  readonly url: string;
  /** The requests that took a turn of the script, in order. */
  readonly requests: readonly WireRequest[];
  /** Ends every connection, whatever it waits for. */
  close(): Promise<void>;
}

/** How the wire server sends, where a turn does not say otherwise. */
export interface WireServerOptions {
  /** How many characters a delta has; 12. */
  readonly deltaChars?: number;
  readonly framing?: Framing;
  /** What follows the last turn; an error unless told. */
  readonly afterLast?: AfterLast<WireRequest>;
  readonly sleep?: Sleep;
}
