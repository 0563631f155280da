import { callOut } from "../call-out.ts";
import { Deferred } from "../deferred.ts";
import { field } from "./field.ts";
import { letGo } from "./let-go.ts";
import type { Model } from "./model.ts";
import type { PreparedRequest } from "./prepare-request.ts";
import type { StreamWatch } from "./timeouts.ts";

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
  void ask(model, request, { watch, opened });
  return opened.promise;
}

interface Opening {
  readonly watch: StreamWatch;
  readonly opened: Deferred<Opened>;
}

async function ask(model: Model, request: PreparedRequest, { watch, opened }: Opening): Promise<void> {
  try {
    const { reader, response } = openedBy(await model.doStream(request.callOf(model, watch.signal)));
    if (watch.cut() !== undefined) letGo(reader);
    opened.resolve({ reader, response, error: undefined });
  } catch (error) {
    opened.resolve(unopened(error));
  }
}

function unopened(error: unknown): Opened {
  return { reader: undefined, response: undefined, error };
}

/** A stream as the specification has it. */
interface Readable {
  getReader(): ReadableStreamDefaultReader<unknown>;
}

function openedBy(result: unknown): { readonly reader: ReadableStreamDefaultReader<unknown>; readonly response: unknown } {
  const stream = field(result, "stream");
  if (typeof stream !== "object" || stream === null || typeof Reflect.get(stream, "getReader") !== "function") throw new Error("The model gave no stream.");
  return { reader: callOut(stream as Readable, "getReader"), response: field(result, "response") }; // Node gives every stream a shape of its own, as with signals
}
