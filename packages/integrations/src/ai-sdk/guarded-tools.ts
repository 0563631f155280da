import type { RawResult } from "@sheepdog/guardian";
import type { LoopGuard } from "../guard/loop-guard.ts";

/** Thrown in place of a tool by a refused call. The AI SDK gives its message to the model as the result. */
export class CallRefusedError extends Error {
  override readonly name = "CallRefusedError";
}

type Execute = (input: unknown, options: unknown) => unknown;
type EndCall = (result: RawResult) => void;

/** The same tools with a guard around `execute`; those without `execute` as they are. */
export function guardTools<Tools extends Readonly<Record<string, object>>>(
  tools: Tools,
  guard: LoopGuard,
  onCall: (id: string) => void,
): Tools {
  const guarded = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool as { readonly execute?: unknown }; // checked in the next line
    if (typeof execute !== "function" || guardOf.get(tool) === guard) return [name, tool];
    const value = guardExecute(name, (input, options) => Reflect.apply(execute, tool, [input, options]), guard, onCall);
    const copy = copyWith(tool, value);
    guardOf.set(copy, guard);
    return [name, copy];
  });
  return Object.fromEntries(guarded) as Tools; // the same names and types
}

/** The guard of each tool that has one: the same guard would count each call twice. */
const guardOf = new WeakMap<object, LoopGuard>();

/** A copy with everything that the tool has, visible or not, and another `execute`. */
function copyWith(tool: object, execute: Execute): object {
  const field = { value: execute, enumerable: true, writable: true, configurable: true };
  return Object.create(Object.getPrototypeOf(tool), { ...Object.getOwnPropertyDescriptors(tool), execute: field });
}

function guardExecute(tool: string, execute: Execute, guard: LoopGuard, onCall: (id: string) => void): Execute {
  return (input, options) => {
    const { toolCallId: id, abortSignal } = (options ?? {}) as { toolCallId?: unknown; abortSignal?: AbortSignal };
    if (typeof id !== "string" || id === "") return execute(input, options); // not a call of a model
    onCall(id);
    const decision = guard.beforeCall({ id, tool, args: input });
    if (!decision.allow) throw new CallRefusedError(decision.message);
    const end: EndCall = (result) => guard.afterCall(id, result);
    const fail = (error: unknown): never => {
      end(failedResult(error, abortSignal));
      throw error;
    };
    let output: unknown;
    try {
      output = execute(input, options);
    } catch (error) {
      return fail(error);
    }
    if (isAsyncIterable(output)) return watchOutputs(output, end, fail);
    if (isPromiseLike(output)) return Promise.resolve(output).then((value) => finish(value, end), fail);
    return finish(output, end);
  };
}

function finish(output: unknown, end: EndCall): unknown {
  end(succeededResult(output));
  return output;
}

/** The outputs of a tool that streams them: the last one is its result. */
async function* watchOutputs(
  outputs: AsyncIterable<unknown>,
  end: EndCall,
  fail: (error: unknown) => never,
): AsyncGenerator<unknown> {
  let result: RawResult | undefined = { status: "interrupted", content: "" };
  try {
    let last: unknown;
    for await (const output of outputs) {
      last = output;
      yield output;
    }
    result = succeededResult(last);
  } catch (error) {
    result = undefined;
    fail(error);
  } finally {
    if (result !== undefined) end(result); // also if nobody reads on
  }
}

/** The result of a call that returned. Tools of MCP servers return their errors. */
function succeededResult(output: unknown): RawResult {
  const isError = typeof output === "object" && output !== null && "isError" in output && output.isError === true;
  return { status: isError ? "error" : "ok", content: output };
}

/** The result of a call that threw. */
function failedResult(error: unknown, signal: AbortSignal | undefined): RawResult {
  const content = error instanceof Error ? error.message : error;
  const reason: unknown = signal?.aborted === true ? signal.reason : error;
  if (reason instanceof Error && reason.name === "TimeoutError") return { status: "timeout", content };
  return { status: signal?.aborted === true ? "interrupted" : "error", content };
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
