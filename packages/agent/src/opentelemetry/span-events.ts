import { episodeOf, type Intervention } from "@sheepdog/guardian";
import { cut } from "./content.ts";
import { attribute, EVALUATION_EVENT } from "./conventions.ts";
import { own, spanEvent } from "./own-attributes.ts";
import type { SpanAttributes } from "./span-operation.ts";
import { type EventOf, spanFor, type TraceContext } from "./traced-run.ts";

/** The events of a run that become events of a span. */
export type PointEvent = EventOf<
  | "GuardianIntervention"
  | "GuardianRecovered"
  | "GateDecision"
  | "ApprovalRequested"
  | "ApprovalResolved"
  | "QuestionAsked"
  | "QuestionAnswered"
  | "ToolBlocked"
  | "BudgetWait"
  | "LimitChanged"
  | "ProviderRetry"
  | "ProviderWarning"
  | "OpinionGiven"
  | "JudgeVerdict"
  | "ContextCompacted"
  | "MemoryFlushed"
  | "UserMessage"
  | "GraphGenerated"
  | "GraphRejected"
  | "EvolutionTriggered"
>;

/** Adds the event to the span that it belongs to. */
export function addSpanEvent(context: TraceContext, event: PointEvent): void {
  const [name, attributes] = describe(context, event);
  const span = spanFor(context, "callId" in event ? event.callId : undefined);
  context.spans.event(span, { name, at: event.at, attributes });
}

function describe({ run, options }: TraceContext, event: PointEvent): readonly [string, SpanAttributes] {
  const content = (text: string | undefined) =>
    options.captureContent === true && text !== undefined ? cut(text, 1_000) : undefined;
  switch (event.type) {
    case "GuardianIntervention":
      return [spanEvent.intervention, interventionAttributes(event.intervention, content)];
    case "GuardianRecovered":
      return [spanEvent.recovered, { [own.episode]: event.episode }];
    case "GateDecision":
      return [
        spanEvent.gateDecision,
        {
          ...callAttributes(event),
          [own.tier]: event.tier,
          [own.decision]: event.decision,
          [own.rule]: content(event.rule),
          [own.reason]: content(event.reason),
        },
      ];
    case "ApprovalRequested":
      return [spanEvent.approvalRequested, { ...callAttributes(event), [own.reason]: content(event.reason) }];
    case "ApprovalResolved":
      return [
        spanEvent.approvalResolved,
        {
          [attribute.toolCallId]: event.callId,
          [own.isAllowed]: event.isAllowed,
          [own.answeredBy]: event.by,
          [own.reason]: content(event.reason),
        },
      ];
    case "QuestionAsked": {
      const { id, intervention, text } = event.question;
      return [
        spanEvent.questionAsked,
        { [own.questionId]: id, [own.detector]: intervention.detector, [own.message]: content(text) },
      ];
    }
    case "QuestionAnswered":
      return [
        spanEvent.questionAnswered,
        { [own.questionId]: event.questionId, [own.answer]: event.answer, [own.answeredBy]: event.by },
      ];
    case "ToolBlocked":
      return [
        spanEvent.toolBlocked,
        { ...callAttributes(event), [own.blockedBy]: event.by, [own.message]: content(event.message) },
      ];
    case "BudgetWait":
      return [spanEvent.budgetWait, { [own.limit]: event.limit, [own.waitMs]: event.waitMs }];
    case "LimitChanged":
      return [spanEvent.limitChanged, { [own.limit]: event.limit }];
    case "ProviderRetry":
      return [
        spanEvent.providerRetry,
        {
          [attribute.requestModel]: event.model,
          [own.attempt]: event.attempt,
          [own.waitMs]: event.waitMs,
          [own.waitingFor]: event.waitingFor,
        },
      ];
    case "ProviderWarning":
      return [
        spanEvent.providerWarning,
        { [attribute.requestModel]: event.model, [own.message]: content(event.problem) },
      ];
    case "OpinionGiven":
      return [
        spanEvent.opinion,
        {
          [own.verdict]: event.verdict,
          [attribute.requestModel]: event.model,
          [own.message]: content(event.advice),
        },
      ];
    case "JudgeVerdict":
      return [
        EVALUATION_EVENT,
        {
          [attribute.evaluationName]: "goal",
          [attribute.evaluationLabel]: event.verdict,
          [attribute.evaluationScore]: run.score,
          [attribute.evaluationExplanation]: content(event.reason),
        },
      ];
    case "ContextCompacted":
      return [
        spanEvent.compacted,
        { [own.tokensBefore]: event.before, [own.tokensAfter]: event.after, [own.strategy]: event.strategy },
      ];
    case "MemoryFlushed":
      return [spanEvent.flushed, { [own.facts]: event.facts }];
    case "UserMessage":
      return [spanEvent.userMessage, { [own.message]: content(event.text) }];
    case "GraphGenerated":
      return [spanEvent.planMade, { [own.planNodes]: event.nodes.length, [own.planCycle]: event.cycle }];
    case "GraphRejected":
      return [spanEvent.planRejected, { [own.message]: content(event.problems.join("\n")) }];
    case "EvolutionTriggered":
      return [spanEvent.planChanged, { [own.planCycle]: event.cycle, [own.message]: content(event.diagnosis) }];
    default:
      return event satisfies never;
  }
}

function interventionAttributes(
  { id, detector, level, effect, count, tool, isApplied, message }: Intervention,
  content: (text: string) => string | undefined,
): SpanAttributes {
  return {
    [own.detector]: detector,
    [own.level]: level,
    [own.effect]: effect,
    [own.episode]: episodeOf(id),
    [own.count]: count,
    [own.isApplied]: isApplied,
    [attribute.toolName]: tool,
    [own.message]: content(message),
  };
}

function callAttributes({ tool, callId }: { readonly tool: string; readonly callId: string }): SpanAttributes {
  return { [attribute.toolName]: tool, [attribute.toolCallId]: callId };
}
