import type { Fault } from "./fault.ts";
import type { Framing } from "./framing.ts";

/** One reply of a scripted model, as plain data: thinking, then text, then calls. */
export interface ScriptedTurn {
  readonly thinking?: string;
  /** The signature that a provider attaches to thinking and expects back. */
  readonly signature?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Default: `calls` when there are calls, otherwise `end`. */
  readonly stop?: ScriptedStop;
  /** Absent figures are estimated from the length of the request and the reply. */
  readonly usage?: ScriptedUsage | "missing" | null;
  readonly fault?: Fault;
  /** Delay before the reply starts. */
  readonly delayMs?: number;
  /** Delay before each delta. */
  readonly deltaDelayMs?: number;
  /** Characters per delta. */
  readonly deltaChars?: number;
  /** The byte layout of the events; only the wire server uses it. */
  readonly framing?: Framing;
}

/** A call of the model. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input?: unknown;
  /** The raw arguments, in place of `input`: for text that is not JSON, or not an object. */
  readonly inputText?: string;
  /** Default: a unique id. */
  readonly id?: string;
}

/** The stop reason of a reply; `raw` is sent as it is, null sends none. */
export type ScriptedStop = "end" | "calls" | "length" | "refused" | { readonly raw: string | null };

/** A token figure as it is sent; it need not be a number. */
export type ScriptedFigure = number | string | null;

/** Tokens as the provider reports them. `input` includes cached and written tokens, `output` includes thinking. */
export interface ScriptedUsage {
  readonly input?: ScriptedFigure;
  readonly cacheRead?: ScriptedFigure;
  readonly cacheWrite?: ScriptedFigure;
  readonly output?: ScriptedFigure;
  readonly thinking?: ScriptedFigure;
}

/** What every request has, to the scripted model and to the wire server. */
export interface ScriptedRequest {
  /** From 0. */
  readonly index: number;
  /** The complete request as JSON text, for tests to search in. */
  readonly text: string;
}

/** A turn, or a function that returns one for a request. */
export type TurnFor<Request extends ScriptedRequest> =
  | ScriptedTurn
  | ((request: Request) => ScriptedTurn | Promise<ScriptedTurn>);

/** The replies in order, one per request. */
export type Script<Request extends ScriptedRequest = ScriptedRequest> = readonly TurnFor<Request>[];

/** The turn for all requests after the last turn of a script, or an error that says the script is over. */
export type AfterLast<Request extends ScriptedRequest = ScriptedRequest> = TurnFor<Request> | "error";
