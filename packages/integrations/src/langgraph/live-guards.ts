import { createLoopGuard } from "../guard/create-loop-guard.ts";
import type { LoopGuard } from "../guard/loop-guard.ts";
import type { GraphGuardOptions, GraphGuardState } from "./graph-guard-state.ts";

/**
 * The guards of the runs of this process, each found by the newest state that it has written. A run that continues in
 * another process, from an older checkpoint, or twice at once, has another state: its guard is made from that state.
 */
export class LiveGuards {
  readonly #options: GraphGuardOptions;
  readonly #guards = new WeakMap<GraphGuardState, LoopGuard>();

  constructor(options: GraphGuardOptions) {
    createLoopGuard(options); // wrong options throw here and not in a run
    this.#options = options;
  }

  /** The guard that continues from this state. It has to be closed with the next state. */
  open(state: GraphGuardState): { readonly guard: LoopGuard; readonly isRestored: boolean } {
    const guard = this.#guards.get(state);
    this.#guards.delete(state);
    if (guard !== undefined) return { guard, isRestored: false };
    const saved = state.guard === undefined ? {} : { state: state.guard };
    return { guard: createLoopGuard({ ...this.#options, ...saved, run: state.run }), isRestored: true };
  }

  /** The state that continues with this guard. */
  close(guard: LoopGuard, next: Omit<GraphGuardState, "guard" | "stop">): GraphGuardState {
    const state = { ...next, guard: guard.snapshot(), ...(guard.stop === undefined ? {} : { stop: guard.stop }) };
    this.#guards.set(state, guard);
    return state;
  }
}

/** The state at the start of a run: what the guard has learned so far stays, tokens and money start at zero. */
export function newRun(previous: GraphGuardState | undefined): GraphGuardState {
  const { stop: _, ...learned } = previous ?? { placed: [] };
  return { ...learned, run: crypto.randomUUID(), openCalls: [], refusals: {} };
}
