import { ExportResultCode } from "@opentelemetry/core";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createRuntime, defineTool, type Runtime } from "../../packages/agent/dist/index.js";
import { createRunIds, traceRuns } from "../../packages/agent/dist/opentelemetry/index.js";
import { scriptedModel } from "../../packages/agent/dist/testing/index.js";
import { anyInput } from "../loop/any-input.ts";
import type { AsyncContestant } from "../measure/async-rounds.ts";

const allowAll = { decide: async () => ({ tier: 0, decision: "allow", reason: "a benchmark" }) as const };
const look = defineTool({
  name: "look",
  description: "Looks.",
  kind: "read",
  ...anyInput,
  run: (input) => `${JSON.stringify(input)} is there. `.repeat(40),
});

/** How the runs are traced; `off`: not at all. */
export type Tracing = "off" | "on" | "with content";

/** A run of 25 turns, each with a call. The spans are written and thrown away. */
export function runContestant(name: string, tracing: Tracing): AsyncContestant<number> {
  const provider = new BasicTracerProvider({ idGenerator: ids, spanProcessors: [new BatchSpanProcessor(noExport)] });
  return {
    name,
    async run(turnCounts) {
      for (const turns of turnCounts) {
        const runtime = runtimeOf(turns, tracing === "with content");
        const traced =
          tracing === "off"
            ? undefined
            : traceRuns(runtime, { tracerProvider: provider, ids, captureContent: tracing === "with content" });
        const { reason } = await runtime.run("ses_1", "Look around.").result;
        if (reason !== "answered") throw new Error(`Expected an answer, got ${reason}.`);
        traced?.stop();
        await provider.forceFlush();
      }
    },
  };
}

const ids = createRunIds();
const noExport = {
  export: (_items: unknown, done: (result: { code: ExportResultCode }) => void) =>
    done({ code: ExportResultCode.SUCCESS }),
  forceFlush: async () => {},
  shutdown: async () => {},
};

function runtimeOf(turns: number, requestContent: boolean): Runtime {
  const model = scriptedModel([], {
    afterLast: ({ index }) =>
      index < turns - 1
        ? { text: "I look.", calls: [{ tool: "look", input: { at: `${index}.ts` } }] }
        : { text: "Done." },
  });
  return createRuntime({
    models: [model],
    tools: [look],
    gate: allowAll,
    settings: { requestContent, maxTurns: turns },
  });
}
