import { callOut } from "../async/call-out.ts";
import { Deferred } from "../async/deferred.ts";
import { field } from "./field-access.ts";
import { letGo } from "./let-go.ts";
import type { Model } from "./model.ts";
import type { PreparedRequest } from "./prepared-request.ts";
import type { StreamWatch } from "./stream-watch.ts";

/** What came of asking for a stream: one that can be read, and what the model said of its response, or an error. */
export interface Opened {
  readonly reader: ReadableStreamDefaultReader<unknown> | undefined;
  readonly response: unknown;
  readonly error: unknown;
}

/** Opens the stream. Who ignores an abort is not waited for, and a stream that comes after it is thrown away. */
export function openStream(model: Model, request: PreparedRequest, watch: StreamWatch): Promise<Opened> {
  const opened = new Deferred<Opened>();
  watch.onCut = () => opened.resolve(unopened(watch.signal.reason));
  if (watch.cut() !== undefined) watch.onCut();
  asked(model, request, watch.signal).then(
    (result) => opened.resolve(openedBy(result, watch)),
    (error: unknown) => opened.resolve(unopened(error)),
  );
  return opened.promise;
}

/** What the model throws is told by the promise too. */
function asked(model: Model, request: PreparedRequest, signal: AbortSignal): Promise<unknown> {
  try {
    return Promise.resolve(model.doStream(request.callOf(model, signal)));
  } catch (error) {
    return Promise.reject(error);
  }
}

function unopened(error: unknown): Opened {
  return { reader: undefined, response: undefined, error };
}

/** A stream as the specification has it. */
interface Readable {
  getReader(): ReadableStreamDefaultReader<unknown>;
}

function openedBy(result: unknown, watch: StreamWatch): Opened {
  try {
    const stream = field(result, "stream");
    if (typeof stream !== "object" || stream === null || typeof Reflect.get(stream, "getReader") !== "function")
      throw new Error("The model gave no stream.");
    const reader = callOut(stream as Readable, "getReader"); // Node gives every stream a shape of its own, as with signals
    if (watch.cut() !== undefined) letGo(reader);
    return { reader, response: field(result, "response"), error: undefined };
  } catch (error) {
    return unopened(error);
  }
}
