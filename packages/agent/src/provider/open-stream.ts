import { Deferred } from "../deferred.ts";
import { field } from "./field.ts";
import { letGo } from "./let-go.ts";
import type { Model } from "./model.ts";
import type { PreparedRequest } from "./prepare-request.ts";
import type { StreamWatch } from "./timeouts.ts";

/** What came of asking for a stream. `response`: what the model said of it. */
export type Opened =
  | { readonly isOpen: true; readonly stream: ReadableStream<unknown>; readonly response: unknown }
  | { readonly isOpen: false; readonly error: unknown };

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
    const answer = openedBy(await model.doStream(request.callOf(model, watch.signal)));
    if (watch.cut() !== undefined && answer.isOpen) letGo(answer.stream);
    opened.resolve(answer);
  } catch (error) {
    opened.resolve(unopened(error));
  }
}

function unopened(error: unknown): Opened {
  return { isOpen: false, error };
}

function openedBy(result: unknown): Opened {
  const stream = field(result, "stream") as ReadableStream<unknown> | undefined; // by the specification; looked at below
  if (typeof field(stream, "getReader") !== "function" || stream === undefined) return unopened(new Error("The model gave no stream."));
  return { isOpen: true, stream, response: field(result, "response") };
}
