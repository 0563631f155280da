import type { LoopGuard } from "../guard/loop-guard.ts";
import type { HookEvent } from "../hooks/hook-event.ts";
import { context, denial, ending, type HookOutput } from "./hook-output.ts";

type CallEvent = Extract<HookEvent, { type: "before-call" }>;
type ResultEvent = Extract<HookEvent, { type: "after-call" }>;
type BatchEvent = Extract<HookEvent, { type: "turn-end" }>;

/** The turns of one agent, the main one or a subagent: its calls, and what the guard answers to them. */
export class AgentTurns {
  readonly guard: LoopGuard;
  /** The calls of the current turn: whether each has its result, or was refused. */
  readonly #isDone = new Map<string, boolean>();

  constructor(guard: LoopGuard) {
    this.guard = guard;
  }

  beforeCall({ call }: CallEvent): HookOutput {
    const decision = this.guard.beforeCall(call);
    this.#isDone.set(call.id, !decision.allow);
    return decision.allow ? {} : denial(decision.message);
  }

  afterCall({ call, status, content }: ResultEvent): void {
    if (this.#isDone.get(call.id) === true) return;
    if (!this.#isDone.has(call.id)) this.guard.beforeCall(call);
    this.#isDone.set(call.id, true);
    this.guard.afterCall(call.id, { status, content });
  }

  /** The last event before the next request. Calls that never ran are only here. */
  endTurn({ results, ...event }: BatchEvent): HookOutput {
    for (const { call, content, status = "ok" } of results)
      this.afterCall({ ...event, type: "after-call", call, status, content });
    this.#isDone.clear();
    const notices = this.guard.beforeRequest();
    this.guard.confirm(notices);
    return this.guard.stop === undefined ? context(notices) : ending(this.guard.stop);
  }
}
