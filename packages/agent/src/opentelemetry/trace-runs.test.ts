import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { describe, expect, test } from "vitest";
import { createRuntime } from "../runtime/runtime.ts";
import { scriptedModel } from "../testing/index.ts";
import { createRunIds, traceIdsOf } from "./run-ids.ts";
import { type TraceRunsOptions, traceRuns } from "./trace-runs.ts";

/** A runtime whose traces go to the SDK, and what the SDK has got. */
function tracedRuntime(more: Partial<TraceRunsOptions> = {}) {
  const exporter = new InMemorySpanExporter();
  const ids = createRunIds();
  const tracerProvider = new BasicTracerProvider({
    idGenerator: ids,
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const runtime = createRuntime({ models: [scriptedModel([], { afterLast: { text: "Hello." } })] });
  const tracing = traceRuns(runtime, { tracerProvider, ids, ...more });
  return { runtime, tracing, spans: () => exporter.getFinishedSpans() };
}

describe("the spans of the SDK", () => {
  test("have the kinds, parents and times of a run", async () => {
    const { runtime, spans } = tracedRuntime();
    const { runId } = await runtime.run("ses_1", "Hi.").result;
    const [chat, turn, run] = spans();
    expect([run?.name, turn?.name, chat?.name]).toEqual(["invoke_agent sheepdog", "turn", "chat scripted"]);
    expect([run?.kind, turn?.kind, chat?.kind]).toEqual([SpanKind.INTERNAL, SpanKind.INTERNAL, SpanKind.CLIENT]);
    expect(run?.parentSpanContext).toBeUndefined();
    expect(turn?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId);
    expect(chat?.parentSpanContext?.spanId).toBe(turn?.spanContext().spanId);
    expect(run?.status.code).toBe(SpanStatusCode.UNSET);
    expect(run?.instrumentationScope).toMatchObject({
      name: "@sheepdog/agent",
      schemaUrl: expect.stringContaining("1.41.1"),
    });
    expect(run?.spanContext()).toMatchObject(traceIdsOf(runId));
  });

  test("of two runs are two traces, and ids of other spans are random", async () => {
    const { runtime, spans } = tracedRuntime();
    await runtime.run("ses_1", "Hi.").result;
    await runtime.run("ses_1", "Hi again.").result;
    expect(new Set(spans().map((span) => span.spanContext().traceId)).size).toBe(2);
    expect(new Set(spans().map((span) => span.spanContext().spanId)).size).toBe(spans().length);
  });

  test("belong to the context that is given", async () => {
    const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
    const parent = trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: 1, isRemote: true });
    const { runtime, spans } = tracedRuntime({ parent });
    await runtime.run("ses_1", "Hi.").result;
    expect(new Set(spans().map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]));
    expect(spans().at(-1)?.parentSpanContext).toMatchObject({ spanId });
  });

  test("of a run that is still running when the tracing stops are ended as unfinished", async () => {
    const { runtime, tracing, spans } = tracedRuntime();
    const run = runtime.run("ses_1", "Hi.");
    for await (const event of run) if (event.type === "TurnStarted") break;
    tracing.stop();
    const names = spans().map(({ name, attributes }) => [name, attributes["error.type"]]);
    expect(names).toContainEqual(["invoke_agent sheepdog", "unfinished"]);
    const count = spans().length;
    await run.result;
    expect(spans()).toHaveLength(count);
  });
});

test("without a provider and an SDK, nothing happens", async () => {
  expect(context.active()).toBe(ROOT_CONTEXT);
  expect(propagation.fields()).toEqual([]);
  const runtime = createRuntime({ models: [scriptedModel([{ text: "Hello." }])] });
  const tracing = traceRuns(runtime);
  expect((await runtime.run("ses_1", "Hi.").result).reason).toBe("answered");
  tracing.stop();
});
