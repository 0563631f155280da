import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
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
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 60_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const model = scriptedModel([], { afterLast: { text: "Hello.", usage: { input: 100, output: 10 } } });
  const runtime = createRuntime({ models: [model], price: () => 500_000_000 });
  const tracing = traceRuns(runtime, { tracerProvider, meterProvider, ids, ...more });
  return {
    runtime,
    tracing,
    spans: () => exporter.getFinishedSpans(),
    async metrics() {
      await meterProvider.forceFlush();
      const all = metricExporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
      return Object.fromEntries(all.map((metric) => [metric.descriptor.name, metric]));
    },
  };
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

describe("the metrics of the SDK", () => {
  test("have tokens with the buckets of the conventions, durations and costs", async () => {
    const { runtime, metrics } = tracedRuntime();
    await runtime.run("ses_1", "Hi.").result;
    const all = await metrics();
    expect(Object.keys(all).sort()).toEqual([
      "gen_ai.client.operation.duration",
      "gen_ai.client.operation.time_to_first_chunk",
      "gen_ai.client.token.usage",
      "sheepdog.run.cost",
      "sheepdog.runs",
    ]);
    const tokens = all["gen_ai.client.token.usage"];
    expect(tokens?.descriptor.unit).toBe("{token}");
    expect(tokens?.dataPoints.map(({ attributes, value }) => [attributes["gen_ai.token.type"], value])).toEqual([
      ["input", expect.objectContaining({ count: 1, sum: 100 })],
      ["output", expect.objectContaining({ count: 1, sum: 10 })],
    ]);
    expect(tokens?.dataPoints[0]?.value).toMatchObject({
      buckets: {
        boundaries: [
          ...[1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864],
        ],
      },
    });
    expect(all["gen_ai.client.operation.duration"]?.dataPoints[0]?.value).toMatchObject({
      buckets: {
        boundaries: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
      },
    });
    expect(all["sheepdog.run.cost"]?.dataPoints[0]?.value).toBe(0.5);
  });
});

test("without providers and an SDK, nothing happens", async () => {
  expect(context.active()).toBe(ROOT_CONTEXT);
  expect(propagation.fields()).toEqual([]);
  const runtime = createRuntime({ models: [scriptedModel([{ text: "Hello." }])] });
  const tracing = traceRuns(runtime);
  expect((await runtime.run("ses_1", "Hi.").result).reason).toBe("answered");
  tracing.stop();
});
