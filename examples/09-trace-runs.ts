/** OpenTelemetry: the spans of a run, with an SDK of your own. A real program exports them to a collector. */
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createRuntime, defineTool } from "@sheepdog/agent";
import { createRunIds, traceIdsOf, traceRuns } from "@sheepdog/agent/opentelemetry";
import { scriptedModel } from "@sheepdog/agent/testing";
import { z } from "zod";

const exporter = new InMemorySpanExporter();
const ids = createRunIds();
const tracerProvider = new BasicTracerProvider({
  idGenerator: ids, // the ids of a trace are those of its run, also if another process resumes it
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});

const weather = defineTool({
  name: "weather",
  kind: "read",
  description: "Tells the weather of a city.",
  input: z.object({ city: z.string() }),
  run: ({ city }) => `It rains in ${city}.`,
});
const model = scriptedModel([
  { calls: [{ tool: "weather", input: { city: "Paris" } }] },
  { text: "Take an umbrella." },
]);
const runtime = createRuntime({ models: [model], tools: [weather] });

const tracing = traceRuns(runtime, { tracerProvider, ids, agentName: "forecaster" });
const { runId } = await runtime.run("ses_1", "Do I need an umbrella in Paris?").result;
tracing.stop();

const spans = exporter.getFinishedSpans();
const print = (parent: string | undefined, depth: number): void => {
  for (const span of spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)) {
    const { "gen_ai.operation.name": operation, "gen_ai.tool.name": tool } = span.attributes;
    console.log(`${"  ".repeat(depth)}${span.name}${operation === "execute_tool" ? ` (the tool ${tool})` : ""}`);
    print(span.spanContext().spanId, depth + 1);
  }
};
print(undefined, 0);
console.log(
  `the trace has the id of its run: ${spans.every((span) => span.spanContext().traceId === traceIdsOf(runId).traceId)}`,
);
