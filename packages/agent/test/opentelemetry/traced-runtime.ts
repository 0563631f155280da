import type { AgentEvent, Runtime } from "@sheepdog/agent";
import { createSpanFold, metricOperations, type SpanOperation } from "@sheepdog/agent/opentelemetry";
import { expect } from "vitest";
import {
  eventProblems,
  foreign,
  metricProblems,
  spanProblems,
} from "../../src/opentelemetry/testing/check-conventions.ts";
import { readOperations, type WrittenSpan } from "../../src/opentelemetry/testing/check-operations.ts";

/** What a runtime has published, and the spans of it. */
export interface TracedRuntime {
  readonly events: readonly AgentEvent[];
  /** All spans so far. Throws if the operations break a rule. */
  spans(): readonly WrittenSpan[];
  readonly openSpans: number;
}

/** Folds all events of a runtime. */
export function traced({ bus }: Pick<Runtime, "bus">, captureContent = false): TracedRuntime {
  const fold = createSpanFold({ captureContent });
  const events: AgentEvent[] = [];
  const operations: SpanOperation[] = [];
  bus.subscribe((event) => {
    events.push(event);
    operations.push(...fold.apply(event));
  });
  return {
    events,
    spans: () => readOperations(operations),
    get openSpans() {
      return fold.openSpans;
    },
  };
}

const types: Readonly<Record<string, string>> = {
  invoke_agent: "gen_ai.invoke_agent.internal",
  chat: "gen_ai.inference.client",
  execute_tool: "gen_ai.execute_tool.internal",
};

/** All spans have ended, and all names and values are those of the conventions. */
export function expectConventions({ events, spans }: TracedRuntime): void {
  const problems = spans().flatMap(({ name, attributes, events: spanEvents, failure }) => {
    const type = types[String(attributes["gen_ai.operation.name"])];
    const isOk = failure === undefined ? attributes["error.type"] === undefined : attributes["error.type"] === failure;
    return [
      ...(type === undefined ? foreign(name, attributes) : spanProblems(type, attributes)),
      ...spanEvents.flatMap((event) => eventProblems(event.name, event.attributes)),
      ...(isOk ? [] : [`${name} has the failure ${failure} and the error.type ${String(attributes["error.type"])}`]),
    ];
  });
  const metrics = events.flatMap((event) => metricOperations(event));
  const metricsProblems = metrics.flatMap(({ metric, attributes }) => {
    const defined = Object.entries(attributes).filter(([, value]) => value !== undefined);
    return metricProblems(metric, Object.fromEntries(defined));
  });
  expect([...new Set([...problems, ...metricsProblems])]).toEqual([]);
}
