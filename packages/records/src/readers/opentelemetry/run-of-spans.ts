import type { RecordedRun, RecordedUsage } from "../../trajectory/recorded-run.ts";
import { addUsage } from "../add-usage.ts";
import { clipText } from "../clip.ts";
import { optional, textField } from "../fields.ts";
import { mostFrequent } from "../main-model.ts";
import { createPersonMessages } from "../person-messages.ts";
import { recordedRun } from "../recorded-run.ts";
import { type CallResult, createStepList, type OpenCall } from "../step-list.ts";
import type { SentResult } from "./messages.ts";
import type { Span, SpanCall, SpanEvent } from "./span.ts";

/** Collects the spans of one run in the order of their start. */
export interface RunOfSpans {
  add(span: Span, about: { readonly isOuterRequest: boolean }): void;
  addEvent(event: SpanEvent, span: Span): void;
  /** Says which subagent a call has started. */
  setChild(call: string, child: string): void;
  /** undefined without a reply. */
  recorded(): RecordedRun | undefined;
}

/** Creates an empty run. */
export function createRunOfSpans(id: string, parent: string | undefined): RunOfSpans {
  const steps = createStepList();
  const requests = new Set<string>();
  const providers: string[] = [];
  const children = new Map<string, string>();
  /** Calls whose spans have no result, which the next request may have. */
  const withoutResult: { readonly id: string; readonly ended: CallResult; readonly call: OpenCall }[] = [];
  let agentUsage: RecordedUsage | undefined;
  let newest: RecordedUsage | undefined;
  /** Usage before the first reply. */
  let early: RecordedUsage | undefined;
  let source = "opentelemetry";
  let task: string | undefined;
  let outcome: string | undefined;
  const prompts = createPersonMessages();
  let hasUsage = false;
  let repeatedUsage = 0;
  let withoutUsage = 0;

  function addAgent({ usage, names, failure, content }: Span): void {
    if (usage !== undefined) agentUsage = agentUsage === undefined ? usage : addUsage(agentUsage, usage);
    outcome = names.outcome ?? failure;
    task ??= textField(content?.prompt);
    if (parent === undefined) prompts.add(content?.newPrompt);
  }

  function addRequest(span: Span, isOuter: boolean): void {
    const { usage, content, failure, names, at, position } = span;
    const { request, inputTokens, outputTokens } = usage ?? {};
    const key = request === undefined ? undefined : `${request} ${inputTokens} ${outputTokens}`; // ids may repeat
    const isKnown = key !== undefined && requests.has(key);
    if (isOuter || isKnown) {
      if (usage !== undefined) repeatedUsage++;
      return;
    }
    if (key !== undefined) requests.add(key);
    hasUsage ||= usage !== undefined;
    if (names.purpose !== undefined) {
      addExtra(usage);
      return;
    }
    const isEmpty = usage === undefined && (content?.text ?? "") === "" && content?.calls.length === 0;
    if (failure !== undefined && isEmpty) return; // the attempt failed
    for (const result of content?.results ?? []) addSentResult(result);
    task ??= textField(content?.prompt);
    if (usage === undefined) withoutUsage++;
    if (names.provider !== undefined) providers.push(names.provider);
    const endsWithPrompt = content?.endsWithPrompt === true;
    if (parent === undefined && (span.isPrompted || endsWithPrompt))
      prompts.add(endsWithPrompt ? content.newPrompt : undefined);
    newest = usage === undefined || early === undefined ? (usage ?? early) : addUsage(usage, early);
    early = undefined;
    steps.reply({
      text: content?.text ?? "",
      ...optional("model", names.model),
      ...optional("agent", names.agent),
      ...optional("at", at),
      ...optional("usage", newest),
      ...prompts.take(),
      position,
    });
    for (const call of content?.calls ?? []) steps.call({ ...call, ...optional("at", at), position });
  }

  /** The usage of a request that is no turn, such as for a summary, belongs to the step before it. */
  function addExtra(usage: RecordedUsage | undefined): void {
    if (usage === undefined) return;
    if (steps.isEmpty) early = early === undefined ? usage : addUsage(early, usage);
    else {
      newest = newest === undefined ? usage : addUsage(newest, usage);
      steps.amend({ usage: newest });
    }
  }

  function addCall({ call, at, position, failure }: Span): void {
    if (call === undefined) return;
    const { id: callId, name, args, result, status } = call;
    const asked = steps.openCall(callId, name) ?? steps.openCall(callId);
    const made = asked ?? steps.call({ id: callId, name, args, ...optional("at", at), position });
    const ended = { isError: failure !== undefined, ...optional("status", status), result: result ?? null };
    made.end(result === undefined ? { ...ended, ...missingResult(call, failure) } : ended);
    if (ended.result === null) withoutResult.push({ id: callId, ended, call: made });
  }

  /** The result as the model got it, where the span of the call has none. */
  function addSentResult({ id: callId, result }: SentResult): void {
    const index = withoutResult.findIndex(({ id: each }) => each === callId);
    const [known] = index < 0 ? [] : withoutResult.splice(index, 1);
    if (known === undefined) steps.openCall(callId)?.end({ result });
    else known.call.end({ ...known.ended, result });
  }

  function addEvent({ name, at, attributes }: SpanEvent, { position }: Span): void {
    if (name === "sheepdog.user_message" && parent === undefined) prompts.add();
    if (name === "sheepdog.context.compacted") steps.compact();
    if (name !== "sheepdog.tool.blocked") return;
    const tool = textField(attributes.get("gen_ai.tool.name"));
    const callId = textField(attributes.get("gen_ai.tool.call.id"));
    if (tool === undefined || callId === undefined) return;
    const made =
      steps.openCall(callId) ?? steps.call({ id: callId, name: tool, args: null, ...optional("at", at), position });
    made.end({ result: null, isError: true, status: "denied" });
  }

  return {
    add(span, { isOuterRequest }) {
      if (span.source !== "opentelemetry") source = span.source;
      if (span.operation === "agent") addAgent(span);
      if (span.operation === "request") addRequest(span, isOuterRequest);
      if (span.operation === "tool") addCall(span);
    },
    addEvent,
    setChild: (call, child) => void children.set(call, child),
    recorded() {
      // Only the sum was recorded: it is the usage of the last reply.
      if (!hasUsage && agentUsage !== undefined) steps.amend({ usage: { ...agentUsage, isSum: true } });
      if (steps.isEmpty) return undefined;
      for (const [call, child] of children) steps.connect(call, { child });
      const counting = steps.counting({ repeatedUsage, withoutUsage });
      const provider = mostFrequent(providers);
      return recordedRun(steps.steps(), { id, source, provider, task, outcome, parent, counting });
    },
  };
}

/** Failed calls have the words of the failure; what others returned was not recorded. */
function missingResult({ failureText }: SpanCall, failure: string | undefined): Partial<CallResult> {
  if (failure === undefined) return { isResultUnknown: true };
  return failureText === undefined ? {} : { result: clipText(failureText) };
}
