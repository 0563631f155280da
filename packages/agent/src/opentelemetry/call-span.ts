import { cut, toolArguments, toolResult } from "./content.ts";
import { attribute, operation } from "./conventions.ts";
import { own } from "./own-attributes.ts";
import type { EventOf, TraceContext } from "./traced-run.ts";

/** What is known of a call when its span starts. */
interface StartedCall {
  readonly callId: string;
  readonly tool: string;
  readonly at: number;
  readonly input?: unknown;
  readonly kind?: string;
}

/** Starts the `execute_tool` span of a call. */
export function startCallSpan({ spans, run, options }: TraceContext, call: StartedCall): string {
  const { callId, tool, at, input, kind } = call;
  const earlier = run.calls.get(callId);
  if (earlier !== undefined) spans.end(earlier, { at }); // the id is used twice
  const span = spans.start({
    parent: run.turn ?? run.span,
    name: `${operation.executeTool} ${tool}`,
    kind: "internal",
    at,
    attributes: {
      [attribute.operation]: operation.executeTool,
      [attribute.toolName]: tool,
      [attribute.toolCallId]: callId,
      [attribute.toolType]: "function",
      [own.toolKind]: kind,
      [attribute.toolArguments]: options.captureContent === true ? toolArguments(input) : undefined,
    },
  });
  run.calls.set(callId, span);
  return span;
}

/** Ends the span. A call that did not start in this process gets a span of the length that it had. */
export function endCallSpan(context: TraceContext, event: EventOf<"ToolEnd">): void {
  const { spans, run, options } = context;
  const { callId, at, ms, status, content } = event;
  const span = run.calls.get(callId) ?? startCallSpan(context, { ...event, at: at - Math.max(0, ms) });
  run.calls.delete(callId);
  const isOk = status === "ok";
  const hasContent = options.captureContent === true;
  spans.end(span, {
    at,
    attributes: {
      [own.status]: status,
      [attribute.errorType]: isOk ? undefined : status,
      [attribute.toolResult]: hasContent && isOk ? toolResult(content) : undefined,
    },
    ...(isOk ? {} : { failure: { type: status, ...(hasContent ? { message: cut(content, 500) } : {}) } }),
  });
}
