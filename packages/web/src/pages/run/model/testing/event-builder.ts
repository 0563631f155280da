import type { WireEvent } from "../../../../contract/index.ts";

type Body<Event> = Event extends unknown ? Omit<Event, "seq" | "at" | "sessionId" | "runId" | "severity"> : never;
export type EventBody = Body<WireEvent>;

/** Builds the events of a run one after the other, at times that the caller chooses. */
export function eventBuilder(runId: string, startAt: number) {
  const events: WireEvent[] = [];
  let at = startAt;
  let calls = 0;
  const emit = (body: EventBody): number => {
    const seq = events.length + 1;
    const head = { seq, at, sessionId: "ses_test", runId, severity: "info" };
    events.push({ ...body, ...head } as WireEvent); // a body with its head
    return seq;
  };
  return {
    events,
    emit,
    get at() {
      return at;
    },
    /** Moves the clock to a time after the start. */
    moveTo(newAt: number) {
      at = newAt;
    },
    wait(ms: number) {
      at += ms;
    },
    turn(number: number) {
      emit({ type: "TurnStarted", turn: number - 1 });
    },
    text(text: string) {
      return emit({ type: "StreamEnd", isComplete: true, text });
    },
    /** A call that takes a time. Returns its id. */
    call(call: {
      readonly tool: string;
      readonly input: unknown;
      readonly ms?: number;
      readonly status?: string;
      readonly content?: string;
      readonly diff?: WireEvent["diff"];
    }): string {
      calls += 1;
      const callId = `call_${calls}`;
      const { tool, input, ms = 800, status = "ok", content = "", diff } = call;
      emit({ type: "ToolStart", callId, tool, input });
      at += ms;
      emit({ type: "ToolEnd", callId, tool, status, content, ms, ...(diff === undefined ? {} : { diff }) });
      return callId;
    },
    refuse(tool: string, input: unknown, message: string): string {
      calls += 1;
      const callId = `call_${calls}`;
      emit({ type: "ToolBlocked", callId, tool, input, by: "guardian", message });
      return callId;
    },
    cost(totalUsd: number) {
      emit({ type: "CostEvent", model: "claude-sonnet-4-5", costNanoUsd: 0, totalNanoUsd: Math.round(totalUsd * 1e9) });
    },
    context(tokens: number) {
      const usage = { input: tokens, output: 0, cacheRead: 0, cacheWrite: 0, isEstimated: false };
      emit({ type: "UsageUpdate", usage, total: usage });
    },
  };
}
