import type { Framing } from "../framing.ts";
import type { AfterLast, ScriptedRequest, TurnFor } from "../script.ts";
import type { Sleep } from "../wait.ts";
import type { WireFormatName } from "./wire-format.ts";

/** How a response ended: it was `sent` completely (with its fault), the client `left` early, or the server `closed`. */
export type WireOutcome = "sent" | "left" | "closed";

/** A request that the wire server received, with all headers, API keys included. */
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
  /** The questions for a second opinion, which take none. */
  readonly opinionRequests: readonly WireRequest[];
  /** The questions of a judge, which take none either. */
  readonly judgeRequests: readonly WireRequest[];
  /** Closes the server and all connections. */
  close(): Promise<void>;
}

/** Defaults for the turns of a wire server. */
export interface WireServerOptions {
  /** Characters per delta; default 12. */
  readonly deltaChars?: number;
  readonly framing?: Framing;
  /** The turn for requests after the last turn; default: an error. */
  readonly afterLast?: AfterLast<WireRequest>;
  /** The answer to questions for a second opinion; default: `unsure`. */
  readonly opinion?: TurnFor<WireRequest>;
  /** The answer to questions of a judge; default: `accept`. */
  readonly judge?: TurnFor<WireRequest>;
  readonly sleep?: Sleep;
}
