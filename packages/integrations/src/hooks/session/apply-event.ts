import type { HookCall, HookEvent, HookResult } from "../hook-event.ts";
import type { AgentGuardian, Refusal } from "./agent-guardian.ts";
import type { CallState, TurnEnds } from "./session-state.ts";

/** What an event led to besides messages and stops, which the guardian holds. */
export interface Applied {
  readonly refusal?: Refusal;
  readonly turnEnds?: TurnEnds;
  /** A turn ended of which the event itself does not say so: before the call of the event, or after its result. */
  readonly turnEnded?: "before" | "after";
  /** The agent ran a call that it was told not to run. */
  readonly ignoredRefusal?: string;
}

export interface ApplyOptions {
  readonly turnEnds: TurnEnds;
  /** A refusal is a question to a person. */
  readonly asks: boolean;
}

/** Turns an event of an agent into signals for its guardian. */
export function applyEvent(agent: AgentGuardian, event: HookEvent, options: ApplyOptions): Applied {
  switch (event.type) {
    case "before-call":
      return beforeCall(agent, event.call, options);
    case "after-call": {
      const applied = afterCall(agent, event);
      if (options.turnEnds !== "last-result" || hasOpenCalls(agent)) return applied;
      agent.endTurn();
      return { ...applied, turnEnded: "after" };
    }
    case "turn-end":
      for (const result of event.results) finishCall(agent, result);
      if (agent.isTurnOpen) agent.endTurn();
      return { turnEnds: "event" };
    case "prompt":
      if (agent.isTurnOpen) agent.endTurn(); // the user interrupted it
      agent.guardian.userMessage(event.origin);
      if (event.origin !== "person") return {};
      agent.tells = [];
      agent.stopSaid = undefined;
      agent.refusedAtEnd = 0;
      return {};
    case "stop":
      if (event.isWaiting) return {};
      agent.guardian.message(event.text);
      agent.endTurn();
      return {};
    case "subagent-start":
      agent.guardian.observe({ type: "child-start", id: event.id, depth: 1 });
      return {};
    case "compacted":
      agent.guardian.observe({ type: "compacted" });
      return {};
    case "waiting":
      agent.guardian.observe({ type: "waiting", for: event.for });
      return {};
    default:
      return {}; // the end of a subagent needs the guardian of the subagent: `answer-hook.ts`
  }
}

/**
 * The event without results that are known. Where the end of the turn was taken for granted before its event came, the
 * calls of the turn are closed, and their results are not those of new calls.
 */
export function newResults(event: HookEvent, { calls }: AgentGuardian, turnEnds: TurnEnds): HookEvent {
  if (event.type !== "turn-end" || turnEnds !== "last-result") return event;
  return { ...event, results: event.results.filter(({ call }) => calls.has(call.id)) };
}

function beforeCall(agent: AgentGuardian, call: HookCall, { turnEnds, asks }: ApplyOptions): Applied {
  // Every earlier call has its result or was refused. A turn of refused calls has no result that would end it.
  const isNextTurn = turnEnds !== "event" && agent.isTurnOpen && agent.calls.size > 0 && !hasOpenCalls(agent);
  if (isNextTurn) agent.endTurn();
  const refusal = agent.plan(call);
  agent.calls.set(call.id, refusal === undefined ? "open" : refusedCall(agent, refusal, asks));
  return {
    ...(refusal === undefined ? {} : { refusal }),
    ...(isNextTurn ? { turnEnds: "last-result", turnEnded: "before" } : {}),
  };
}

/** A person is asked if there is a question; else the call is refused. */
function refusedCall({ questions }: AgentGuardian, { episode }: Refusal, asks: boolean): CallState {
  return asks && episode !== undefined && questions.has(episode) ? { asked: episode } : "refused";
}

function hasOpenCalls({ calls }: AgentGuardian): boolean {
  return [...calls.values()].includes("open");
}

/** The result of a call that ran. */
function afterCall(agent: AgentGuardian, { call, status = "ok", content }: HookResult): Applied {
  const known = agent.calls.get(call.id);
  if (known === "done") return {};
  if (known === "refused") return { ignoredRefusal: call.tool };
  if (typeof known === "object" && status === "denied") {
    agent.calls.set(call.id, "refused"); // the person has refused it
    return {};
  }
  // A person has allowed it: it is theirs to say that the repetition is fine.
  if (typeof known === "object") agent.guardian.observe({ type: "mute", episode: known.asked });
  const refusal = known === "open" ? undefined : agent.plan(call);
  if (refusal === undefined) agent.guardian.afterCall(call.id, { status, content });
  agent.calls.set(call.id, "done");
  agent.isTurnOpen = true;
  return {};
}

/** A result at the end of a turn: of a call that no other event reported, or that never ran. */
function finishCall(agent: AgentGuardian, result: HookResult): void {
  const known = agent.calls.get(result.call.id);
  if (known === "refused" || typeof known === "object") return; // the person did not allow it
  afterCall(agent, result);
}
