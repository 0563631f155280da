import type { Fault } from "./fault.ts";
import type { Framing } from "./framing.ts";

/** One reply of a scripted model, as plain data: it thinks, then speaks, then calls. */
export interface ScriptedTurn {
  readonly thinking?: string;
  /** What a provider attaches to thinking and wants back. */
  readonly signature?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Where left out: `calls` with calls, else `end`. */
  readonly stop?: ScriptedStop;
  /** Where left out, or in part: estimated from the length of the request and the reply. */
  readonly usage?: ScriptedUsage | "missing" | null;
  readonly fault?: Fault;
  /** How long the reply keeps everyone waiting before it begins. */
  readonly delayMs?: number;
  /** How long it waits before each delta. */
  readonly deltaDelayMs?: number;
  /** How many characters a delta has. */
  readonly deltaChars?: number;
  /** How the events are laid out in bytes; the wire server only. */
  readonly framing?: Framing;
}

/** A call the model makes. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input?: unknown;
  /** The arguments as the model wrote them, in place of `input`: for what is no JSON, or no object. */
  readonly inputText?: string;
  /** Unique unless told. */
  readonly id?: string;
}

/** How a reply says that it ended; `raw` for a word no provider knows, null for none. */
export type ScriptedStop = "end" | "calls" | "length" | "refused" | { readonly raw: string | null };

/** A figure as it is sent, which need not be a number. */
export type ScriptedFigure = number | string | null;

/** Tokens as the provider reports them. `input` holds cached and written ones, `output` those of thinking. */
export interface ScriptedUsage {
  readonly input?: ScriptedFigure;
  readonly cacheRead?: ScriptedFigure;
  readonly cacheWrite?: ScriptedFigure;
  readonly output?: ScriptedFigure;
  readonly thinking?: ScriptedFigure;
}

/** What every request has, to a model or to the wire server. */
export interface ScriptedRequest {
  /** From 0. */
  readonly index: number;
  /** The whole request as JSON text, to look for words in. */
  readonly text: string;
}

/** A turn, or what decides on one when the request is there. */
export type TurnFor<Request extends ScriptedRequest> =
  | ScriptedTurn
  | ((request: Request) => ScriptedTurn | Promise<ScriptedTurn>);

/** The replies in order, one a request. */
export type Script<Request extends ScriptedRequest = ScriptedRequest> = readonly TurnFor<Request>[];

/** What follows the last turn of a script: a turn for all further requests, or an error that says the script is over. */
export type AfterLast<Request extends ScriptedRequest = ScriptedRequest> = TurnFor<Request> | "error";
