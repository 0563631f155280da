import { createLoopGuard } from "../guard/create-loop-guard.ts";
import type { GuardOptions } from "../guard/guard-options.ts";
import type { LoopGuard } from "../guard/loop-guard.ts";
import type { PlacedNotice } from "../guard/placed-notice.ts";
import type { RequestArgs } from "./mastra-guard.ts";

/** One call of `generate` or `stream`. */
export interface MastraRun {
  readonly guard: LoopGuard;
  placed: readonly PlacedNotice[];
  /** The id of the newest call of the newest reply. */
  newestCall: string | undefined;
}

export interface OpenCall {
  readonly id: string;
  readonly guard: LoopGuard;
  /** No further hook is called for it. */
  close(): void;
}

interface RequestRuns {
  newest?: MastraRun;
  /** The runs by their open calls: hooks of tools are told the context and the call, but not the run. */
  readonly byCall: Map<string, MastraRun>;
  saved?: unknown;
}

/** The runs of an agent. They are found by the objects that Mastra passes around, and forgotten with them. */
export class MastraRuns {
  readonly #options: GuardOptions;
  readonly #runs = new WeakMap<object, RequestRuns>();
  /** By the state of the processor, which holds nothing itself: Mastra may save it. */
  readonly #byState = new WeakMap<object, MastraRun>();

  constructor(options: GuardOptions) {
    createLoopGuard(options); // wrong options throw here and not in a run
    this.#options = options;
  }

  /** The run that a processor works for; the first time it begins. */
  ofStep({ state, requestContext = state }: RequestArgs): MastraRun {
    const known = this.#byState.get(state);
    if (known !== undefined) return known;
    const request = this.of(requestContext);
    const saved = request.saved === undefined ? {} : { state: request.saved };
    const guard = createLoopGuard({ ...this.#options, ...saved, run: crypto.randomUUID() });
    guard.userMessage();
    const run: MastraRun = { guard, placed: [], newestCall: undefined };
    this.#byState.set(state, run);
    request.newest = run;
    delete request.saved;
    return run;
  }

  /** The call that a hook is about, with the guard of its run. */
  ofCall(context: unknown): OpenCall | undefined {
    const { requestContext, toolCallId: id } = (context ?? {}) as ToolContext; // checked in the next line
    if (typeof requestContext !== "object" || requestContext === null || typeof id !== "string") return undefined;
    const byCall = this.#runs.get(requestContext)?.byCall;
    const guard = byCall?.get(id)?.guard;
    return guard === undefined ? undefined : { id, guard, close: () => byCall?.delete(id) };
  }

  of(requestContext: object): RequestRuns {
    const runs = this.#runs.get(requestContext) ?? { byCall: new Map() };
    this.#runs.set(requestContext, runs);
    return runs;
  }
}

interface ToolContext {
  readonly requestContext?: unknown;
  readonly toolCallId?: unknown;
}
