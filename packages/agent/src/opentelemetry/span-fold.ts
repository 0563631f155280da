import type { AgentEvent } from "../protocol/events.ts";
import { endCallSpan, startCallSpan } from "./call-span.ts";
import { attribute } from "./conventions.ts";
import { createOpenSpans } from "./open-spans.ts";
import { own } from "./own-attributes.ts";
import { endRequestSpan, startRequestSpan } from "./request-span.ts";
import { endRunSpan, type RunOrigin, startRunSpan } from "./run-span.ts";
import { addSpanEvent } from "./span-events.ts";
import type { SpanOperation } from "./span-operation.ts";
import { type EventOf, type SpanFoldOptions, spanFor, type TraceContext, type TracedRun } from "./traced-run.ts";

/** Turns the events of runs into operations on spans. It has no clock: all times are those of the events. */
export interface SpanFold {
  /** Events of a run whose start was not seen give nothing. */
  apply(event: AgentEvent): readonly SpanOperation[];
  /** Ends all open spans: the process ends before their runs do. */
  close(at: number): readonly SpanOperation[];
  readonly openSpans: number;
}

export function createSpanFold(options: SpanFoldOptions = {}): SpanFold {
  const spans = createOpenSpans();
  const runs = new Map<string, TracedRun>();
  /** Sessions of subagents that are about to start. */
  const origins = new Map<string, RunOrigin>();

  function startRun(event: EventOf<"RunStarted">): void {
    const open = runs.get(event.runId);
    if (open !== undefined) endSpansOf(open, event.at);
    const origin = origins.get(event.sessionId);
    origins.delete(event.sessionId);
    runs.set(event.runId, startRunSpan(spans, event, { origin, options }));
  }

  /** The run starts again in this process without having ended. */
  function endSpansOf({ requests, calls, turn, span }: TracedRun, at: number): void {
    for (const each of [...requests.values(), ...calls.values(), ...(turn === undefined ? [] : [turn]), span])
      spans.end(each, unfinished(at));
  }

  function applyTo(context: TraceContext, event: Exclude<AgentEvent, EventOf<"RunStarted">>): void {
    const { run } = context;
    switch (event.type) {
      case "TurnStarted":
        if (run.turn !== undefined) spans.end(run.turn, { at: event.at });
        run.turn = spans.start({
          parent: run.span,
          name: "turn",
          kind: "internal",
          at: event.at,
          attributes: { [attribute.conversation]: event.sessionId, [own.turn]: event.turn },
        });
        return;
      case "TurnComplete":
        if (run.turn !== undefined) spans.end(run.turn, { at: event.at });
        run.turn = undefined;
        return;
      case "RequestStarted":
        startRequestSpan(context, event);
        return;
      case "RequestEnded":
        endRequestSpan(context, event);
        return;
      case "CostEvent":
        run.requestCost = event;
        return;
      case "ToolStart":
        startCallSpan(context, event);
        return;
      case "ToolEnd":
        endCallSpan(context, event);
        return;
      case "ChildStarted":
        origins.set(event.childId, { parent: spanFor(context, event.callId) });
        return;
      case "NodeStarted":
        origins.set(event.childId, { parent: spanFor(context, event.callId), nodeId: event.nodeId });
        return;
      case "ChildComplete":
      case "NodeComplete":
        if (event.childId !== undefined) origins.delete(event.childId);
        return;
      case "GoalEvaluated":
        run.score = event.score ?? undefined;
        return;
      case "RunComplete":
      case "RunError":
        endRunSpan(context, event);
        runs.delete(event.runId);
        for (const [childId, { parent }] of origins) if (!spans.isOpen(parent)) origins.delete(childId);
        return;
      case "GuardianIntervention":
      case "GuardianRecovered":
      case "GateDecision":
      case "ApprovalRequested":
      case "ApprovalResolved":
      case "QuestionAsked":
      case "QuestionAnswered":
      case "ToolBlocked":
      case "BudgetWait":
      case "LimitChanged":
      case "ProviderRetry":
      case "ProviderWarning":
      case "OpinionGiven":
      case "JudgeVerdict":
      case "ContextCompacted":
      case "MemoryFlushed":
      case "UserMessage":
      case "GraphGenerated":
      case "GraphRejected":
      case "EvolutionTriggered":
        addSpanEvent(context, event);
        return;
      // The rest is part of other events, or says nothing about time and outcome.
      case "StateChanged":
      case "TextDelta":
      case "ThinkingDelta":
      case "ToolUseStart":
      case "ToolInputDelta":
      case "StreamEnd":
      case "GuardFailed":
      case "ToolOutput":
      case "UsageUpdate":
      case "Checkpointed":
      case "GuardianHint":
      case "GuardianDoomLoop":
      case "GuardianStall":
      case "GuardianBudgetAlert":
      case "GuardianMuted":
      case "GuardianUnmuted":
      case "OpinionAsked":
      case "BudgetWarning":
      case "BudgetExceeded":
      case "LessonLearned":
        return;
      default:
        event satisfies never;
    }
  }

  return {
    get openSpans() {
      return spans.size;
    },
    apply(event) {
      if (event.type === "RunStarted") startRun(event);
      else {
        const run = runs.get(event.runId);
        if (run !== undefined) applyTo({ spans, run, options }, event);
      }
      return spans.take();
    },
    close(at) {
      for (const span of spans.open()) spans.end(span, unfinished(at));
      runs.clear();
      origins.clear();
      return spans.take();
    },
  };
}

function unfinished(at: number) {
  return { at, attributes: { [attribute.errorType]: "unfinished" }, failure: { type: "unfinished" } } as const;
}
