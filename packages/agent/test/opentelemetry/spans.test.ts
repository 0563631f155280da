import { createRuntime, defineTool, type Goal, memoryStores } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { treeOf } from "../../src/opentelemetry/testing/check-operations.ts";
import { crashingStores } from "../crashing-stores.ts";
import { answers, directedModel, planTurn } from "../director/directed-model.ts";
import { manualClock } from "../manual-clock.ts";
import { runsByReason } from "../runs-by-reason.ts";
import { allowAll, observeRuntimes, testRuntime } from "../test-runtime.ts";
import { expectConventions, type TracedRuntime, traced } from "./traced-runtime.ts";

const look = defineTool({
  name: "look",
  kind: "read",
  description: "Looks.",
  input: z.object({ at: z.string() }),
  run: ({ at }) => `${at} is there`,
});

describe("a run of every reason", () => {
  let traces: TracedRuntime[] = [];
  beforeEach(() => observeRuntimes((runtime) => traces.push(traced(runtime, true))));
  afterEach(() => {
    traces = [];
  });

  test.each(Object.keys(runsByReason) as (keyof typeof runsByReason)[])(
    "%s gives spans that all end and follow the conventions",
    async (reason) => {
      const { state } = await runsByReason[reason]();
      for (const trace of traces) {
        expect(trace.openSpans).toBe(0);
        expectConventions(trace);
      }
      const run = traces.flatMap((trace) => trace.spans()).find(({ parent }) => parent === undefined);
      expect(run).toMatchObject({
        name: "invoke_agent sheepdog",
        failure: state === "completed" ? undefined : reason,
        attributes: { "sheepdog.run.reason": reason },
      });
    },
  );
});

test("a turn has its request and its calls, and a loop its interventions", async () => {
  const model = scriptedModel([], { afterLast: { calls: [{ tool: "look", input: { at: "a" } }] } });
  const { runtime } = testRuntime(model, [look], { price: () => 1_000_000 });
  const trace = traced(runtime);
  await runtime.run("ses_1", "Go.").result;
  const spans = trace.spans();
  expect(treeOf(spans).slice(0, 4)).toEqual([
    "invoke_agent sheepdog (doom_loop)",
    "  turn",
    "    chat scripted",
    "    execute_tool look",
  ]);
  const events = spans.flatMap((span) => span.events.filter(({ name }) => name === "sheepdog.guardian.intervention"));
  expect([...new Set(events.map(({ attributes }) => attributes["sheepdog.guardian.level"]))]).toEqual([
    "hint",
    "warn",
    "block",
    "halt",
  ]);
  expect(events[0]?.attributes).toMatchObject({
    "sheepdog.guardian.detector": "doom-loop",
    "gen_ai.tool.name": "look",
  });
  const chats = spans.filter(({ name }) => name.startsWith("chat"));
  const usd = chats.reduce((sum, { attributes }) => sum + Number(attributes["sheepdog.cost_usd"]), 0);
  expect(usd).toBeCloseTo(Number(spans[0]?.attributes["sheepdog.cost_usd"]));
});

test("a request that fails is a span, and so is the retry", async () => {
  const model = scriptedModel([{ fault: { type: "status", status: 529 } }, { text: "Hello." }]);
  const { runtime } = testRuntime(model);
  const trace = traced(runtime);
  await runtime.run("ses_1", "Go.").result;
  expect(treeOf(trace.spans())).toEqual([
    "invoke_agent sheepdog",
    "  turn",
    "    chat scripted (overloaded)",
    "    chat scripted",
  ]);
  expectConventions(trace);
});

test("subagents are below the call that started them", async () => {
  const spawn = { tool: "spawn", input: { task: "Look." } };
  const model = scriptedModel([
    { calls: [spawn] },
    { calls: [{ tool: "look", input: { at: "b" } }] },
    { text: "There." },
    { text: "Done." },
  ]);
  const { runtime } = testRuntime(model, [look], { subagents: true });
  const trace = traced(runtime);
  await runtime.run("ses_1", "Go.").result;
  expect(treeOf(trace.spans())).toEqual([
    "invoke_agent sheepdog",
    "  turn",
    "    chat scripted",
    "    execute_tool spawn",
    "      invoke_agent sheepdog",
    "        turn",
    "          chat scripted",
    "          execute_tool look",
    "        turn",
    "          chat scripted",
    "  turn",
    "    chat scripted",
  ]);
  expectConventions(trace);
});

test("nodes of a plan are below the call of the director", async () => {
  const goal: Goal = { text: "The report is written.", criteria: [{ type: "OutputContains", text: "report" }] };
  const { runtime } = testRuntime(directedModel([planTurn(["a", "b"], ["a > b"])], answers));
  const trace = traced(runtime);
  await runtime.runWithDirector("ses_1", "Write it.", goal).result;
  const nodes = trace.spans().filter(({ attributes }) => attributes["sheepdog.node.id"] !== undefined);
  expect(nodes.map(({ parent, attributes }) => [parent?.name, attributes["sheepdog.node.id"]])).toEqual([
    ["execute_tool execute_plan", "a"],
    ["execute_tool execute_plan", "b"],
  ]);
  const purposes = trace.spans().flatMap(({ attributes }) => attributes["sheepdog.request.purpose"] ?? []);
  expect(purposes).toContain("plan");
  expect(trace.openSpans).toBe(0);
  expectConventions(trace);
});

test("a run that crashed and is resumed has spans in both processes", async () => {
  const stores = memoryStores();
  const first = crashingStores(stores);
  const clock = manualClock();
  let onStarted = () => {};
  const isStarted = new Promise<void>((resolve) => {
    onStarted = resolve;
  });
  const hang = {
    ...look,
    run() {
      onStarted();
      return new Promise<never>(() => {});
    },
  };
  const model = () =>
    scriptedModel([], {
      afterLast: ({ text }) =>
        text.includes("unknown") ? { text: "Done." } : { calls: [{ tool: "look", input: { at: "a" } }] },
    });
  const crashed = createRuntime({
    models: [model()],
    tools: [{ ...hang, kind: "mutate" }],
    stores: first.stores,
    clock,
    gate: allowAll,
  });
  const firstTrace = traced(crashed);
  crashed.run("ses_1", "Go.");
  await isStarted;
  await first.crash();
  const resumed = createRuntime({
    models: [model()],
    tools: [{ ...look, kind: "mutate" }],
    stores,
    clock,
    gate: allowAll,
  });
  const trace = traced(resumed);
  await (await resumed.resume("ses_1")).result;
  expect(treeOf(firstTrace.spans())).toEqual([
    "invoke_agent sheepdog",
    "  turn",
    "    chat scripted",
    "    execute_tool look",
  ]);
  const [run, ...rest] = trace.spans();
  expect(run?.attributes).toMatchObject({
    "sheepdog.run.resumed": true,
    "sheepdog.run.id": firstTrace.spans()[0]?.attributes["sheepdog.run.id"],
  });
  expect(rest.find(({ name }) => name === "execute_tool look")).toMatchObject({ failure: "interrupted" });
  expect(trace.openSpans).toBe(0);
  expectConventions(trace);
});

test("secrets are masked in every attribute, also with content", async () => {
  const secret = "canary-4f9d2b7c61e8";
  const leak = { ...look, run: () => `the key is ${secret}` };
  const call = { tool: "look", input: { at: secret } };
  const model = scriptedModel([{ text: `I use ${secret}.`, calls: [call] }, { text: `It was ${secret}.` }]);
  const { runtime } = testRuntime(model, [leak as typeof look], {
    secrets: [secret],
    settings: { requestContent: true },
    system: `Use ${secret}.`,
  });
  const trace = traced(runtime, true);
  await runtime.run("ses_1", `Here is ${secret}.`).result;
  const spans = trace.spans();
  const chats = spans.filter(({ name }) => name === "chat scripted").map(({ attributes }) => attributes);
  expect(chats[1]?.["gen_ai.input.messages"]).toContain("the key is");
  expect(chats[1]?.["gen_ai.output.messages"]).toContain("It was");
  expect(chats[0]?.["gen_ai.system_instructions"]).toContain("Use ");
  expect(JSON.stringify(spans.map(({ parent: _, ...span }) => span))).not.toContain(secret);
  expectConventions(trace);
});
