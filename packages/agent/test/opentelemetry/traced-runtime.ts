import type { Runtime } from "@sheepdog/agent";
import { createSpanFold, type SpanOperation } from "@sheepdog/agent/opentelemetry";
import { expect } from "vitest";
import { eventProblems, foreign, spanProblems } from "../../src/opentelemetry/testing/check-conventions.ts";
import { readOperations, type WrittenSpan } from "../../src/opentelemetry/testing/check-operations.ts";

/** The spans of a runtime. */
export interface TracedRuntime {
  /** All spans so far. Throws if the operations break a rule. */
  spans(): readonly WrittenSpan[];
  readonly openSpans: number;
}

/** Folds all events of a runtime. */
export function traced({ bus }: Pick<Runtime, "bus">, captureContent = false): TracedRuntime {
  const fold = createSpanFold({ captureContent });
  const operations: SpanOperation[] = [];
  bus.subscribe((event) => {
    operations.push(...fold.apply(event));
  });
  return {
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
export function expectConventions({ spans }: TracedRuntime): void {
  const problems = spans().flatMap(({ name, attributes, events: spanEvents, failure }) => {
    const type = types[String(attributes["gen_ai.operation.name"])];
    const isOk = failure === undefined ? attributes["error.type"] === undefined : attributes["error.type"] === failure;
    return [
      ...(type === undefined ? foreign(name, attributes) : spanProblems(type, attributes)),
      ...spanEvents.flatMap((event) => eventProblems(event.name, event.attributes)),
      ...(isOk ? [] : [`${name} has the failure ${failure} and the error.type ${String(attributes["error.type"])}`]),
    ];
  });
  expect([...new Set(problems)]).toEqual([]);
}
