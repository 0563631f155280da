import { describe, expect, test } from "vitest";
import type { AgentEvent, AgentEventBody } from "../protocol/events.ts";
import type { RunResult } from "../protocol/result.ts";
import { createSpanFold } from "./span-fold.ts";
import { spanProblems } from "./testing/check-conventions.ts";
import { readOperations, treeOf } from "./testing/check-operations.ts";

const usage = { input: 120, cacheRead: 100, cacheWrite: 5, output: 20, isEstimated: false };

function result(more: Partial<RunResult> = {}): RunResult {
  return {
    sessionId: "ses_1",
    runId: "run_1",
    state: "completed",
    reason: "answered",
    exitCode: 0,
    text: "Done.",
    turns: 1,
    usage,
    costNanoUsd: 2_000_000,
    interventions: [],
    ...more,
  };
}

const request = { requestId: "req_1", model: "m-1", provider: "anthropic.messages" } as const;
const started: AgentEventBody = { type: "RunStarted", prompt: "Go.", model: "m-1", provider: "anthropic.messages" };
const sent: AgentEventBody = { type: "RequestStarted", ...request, attempt: 1, isStreamed: true, maxOutputTokens: 99 };
const turn: readonly AgentEventBody[] = [
  { type: "TurnStarted", turn: 1 },
  sent,
  { type: "CostEvent", model: "m-1", costNanoUsd: 2_000_000, totalNanoUsd: 2_000_000 },
  {
    type: "RequestEnded",
    ...request,
    ms: 500,
    stop: "calls",
    usage,
    firstPartMs: 100,
    responseId: "msg_1",
    responseModel: "m-1-b",
  },
  { type: "ToolStart", callId: "c1", tool: "read", input: { path: "a" }, kind: "read" },
  { type: "ToolEnd", callId: "c1", tool: "read", status: "ok", content: "text of a", ms: 3 },
  { type: "TurnComplete", turn: 1 },
];

/** Numbers the events and gives them times, ten milliseconds apart. */
function eventsOf(bodies: readonly (AgentEventBody & Partial<AgentEvent>)[]): readonly AgentEvent[] {
  return bodies.map((body, index) => {
    const meta = { seq: index + 1, at: 1_000 + index * 10, sessionId: "ses_1", runId: "run_1", severity: "info" };
    return { ...meta, ...body } as AgentEvent; // the fields are those of the body
  });
}

function fold(bodies: readonly (AgentEventBody & Partial<AgentEvent>)[], captureContent = false) {
  const { apply, close } = createSpanFold({ captureContent });
  const operations = eventsOf(bodies).flatMap((event) => apply(event));
  return { spans: readOperations(operations), close: () => readOperations([...operations, ...close(9_999)]) };
}

const complete: AgentEventBody = { type: "RunComplete", result: result() };

describe("a run", () => {
  test("is an agent, its turns, their requests and their calls", () => {
    expect(treeOf(fold([started, ...turn, complete]).spans)).toEqual([
      "invoke_agent sheepdog",
      "  turn",
      "    chat m-1",
      "    execute_tool read",
    ]);
  });

  test("has the attributes of the conventions, and no content", () => {
    const { spans } = fold([started, ...turn, complete]);
    const [run, , chat, tool] = spans.map(({ attributes }) => attributes);
    expect(run).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": "m-1",
      "gen_ai.agent.name": "sheepdog",
      "gen_ai.conversation.id": "ses_1",
      "gen_ai.usage.input_tokens": 120,
      "gen_ai.usage.output_tokens": 20,
      "gen_ai.usage.cache_read.input_tokens": 100,
      "gen_ai.usage.cache_creation.input_tokens": 5,
      "sheepdog.run.id": "run_1",
      "sheepdog.run.reason": "answered",
      "sheepdog.run.state": "completed",
      "sheepdog.run.turns": 1,
      "sheepdog.cost_usd": 0.002,
    });
    expect(chat).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": "m-1",
      "gen_ai.request.max_tokens": 99,
      "gen_ai.request.stream": true,
      "gen_ai.conversation.id": "ses_1",
      "gen_ai.response.id": "msg_1",
      "gen_ai.response.model": "m-1-b",
      "gen_ai.response.finish_reasons": ["tool_call"],
      "gen_ai.response.time_to_first_chunk": 0.1,
      "gen_ai.usage.input_tokens": 120,
      "gen_ai.usage.output_tokens": 20,
      "gen_ai.usage.cache_read.input_tokens": 100,
      "gen_ai.usage.cache_creation.input_tokens": 5,
      "sheepdog.request.purpose": "turn",
      "sheepdog.request.attempt": 1,
      "sheepdog.cost_usd": 0.002,
    });
    expect(tool).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "read",
      "gen_ai.tool.call.id": "c1",
      "gen_ai.tool.type": "function",
      "sheepdog.tool.kind": "read",
      "sheepdog.tool.status": "ok",
    });
    expect(spanProblems("gen_ai.invoke_agent.internal", run ?? {})).toEqual([]);
    expect(spanProblems("gen_ai.inference.client", chat ?? {})).toEqual([]);
    expect(spanProblems("gen_ai.execute_tool.internal", tool ?? {})).toEqual([]);
    expect(JSON.stringify(spans)).not.toMatch(/Go\.|text of a|Done\./);
  });

  test("has the times of its events", () => {
    const { spans } = fold([started, ...turn, complete]);
    expect(spans.map(({ startedAt, endedAt }) => [startedAt, endedAt])).toEqual([
      [1_000, 1_080],
      [1_010, 1_070],
      [1_020, 1_040],
      [1_050, 1_060],
    ]);
  });

  test("that fails has its reason as the type of its error", () => {
    const failed = result({ state: "budget_exceeded", reason: "run_budget", problem: "The budget is spent." });
    const { spans } = fold([started, ...turn, { type: "RunError", result: failed }]);
    expect(spans[0]).toMatchObject({ failure: "run_budget", attributes: { "error.type": "run_budget" } });
  });

  test("has no words of a provider, of a rule or of the system without captureContent", () => {
    const words = "canary in /home/ann";
    const bodies: AgentEventBody[] = [
      started,
      sent,
      { type: "RequestEnded", ...request, ms: 5, failure: "bad-response", problem: words },
      { type: "ProviderWarning", model: "m-1", problem: words },
      {
        ...({ type: "GateDecision", callId: "c1", tool: "bash", tier: 1, decision: "allow", reason: words } as const),
        rule: words,
      },
      { type: "RunError", result: result({ state: "error", reason: "provider_error", problem: words }) },
    ];
    const operations = (captureContent: boolean) => {
      const { apply } = createSpanFold({ captureContent });
      return JSON.stringify(eventsOf(bodies).flatMap((event) => apply(event)));
    };
    expect(operations(false)).not.toContain("canary");
    expect(operations(true).match(/canary/g)?.length).toBeGreaterThan(3);
  });

  test("that ends in the middle of a call and a request ends them, too", () => {
    const bodies: AgentEventBody[] = [started, { type: "TurnStarted", turn: 1 }, sent];
    const call: AgentEventBody = { type: "ToolStart", callId: "c1", tool: "bash", input: {} };
    expect(treeOf(fold([...bodies, call, complete]).spans)).toEqual([
      "invoke_agent sheepdog",
      "  turn",
      "    chat m-1 (unfinished)",
      "    execute_tool bash (unfinished)",
    ]);
  });

  test("that has no end is ended with the tracing", () => {
    expect(treeOf(fold([started, { type: "TurnStarted", turn: 1 }, sent]).close())).toEqual([
      "invoke_agent sheepdog (unfinished)",
      "  turn (unfinished)",
      "    chat m-1 (unfinished)",
    ]);
  });

  test("whose start was not seen gives nothing", () => {
    expect(fold([...turn, complete]).spans).toEqual([]);
  });
});

describe("requests", () => {
  test("that fail and are retried are spans of their own, and the wait is an event", () => {
    const { spans } = fold([
      started,
      { type: "TurnStarted", turn: 1 },
      sent,
      { type: "RequestEnded", ...request, ms: 5, failure: "rate-limit", problem: "Too many requests (429)." },
      {
        type: "ProviderRetry",
        attempt: 2,
        waitMs: 900,
        waitingFor: "rate-limit",
        since: 1,
        problem: "…",
        model: "m-1",
      },
      { ...sent, requestId: "req_2", attempt: 2 },
      { type: "RequestEnded", ...request, requestId: "req_2", ms: 5, stop: "end", usage },
      { type: "TurnComplete", turn: 1 },
      complete,
    ]);
    expect(treeOf(spans)).toEqual(["invoke_agent sheepdog", "  turn", "    chat m-1 (rate-limit)", "    chat m-1"]);
    expect(spans[1]?.events).toEqual([
      {
        name: "sheepdog.provider.retry",
        attributes: {
          "gen_ai.request.model": "m-1",
          "sheepdog.request.attempt": 2,
          "sheepdog.wait_ms": 900,
          "sheepdog.waiting_for": "rate-limit",
        },
      },
    ]);
    expect(spans[2]?.attributes["error.type"]).toBe("rate-limit");
  });

  test.each(["incomplete", "interrupted"] as const)("whose stream is %s have failed", (stop) => {
    const bodies: AgentEventBody[] = [
      started,
      sent,
      { type: "RequestEnded", ...request, ms: 5, stop, usage },
      complete,
    ];
    expect(fold(bodies).spans[1]).toMatchObject({ failure: stop, attributes: { "error.type": stop } });
  });

  test("for a second opinion belong to the run, others to the turn", () => {
    const { spans } = fold([
      started,
      { type: "TurnStarted", turn: 1 },
      { ...sent, purpose: "opinion" },
      { ...sent, requestId: "req_2", purpose: "judge" },
      { type: "TurnComplete", turn: 1 },
      { type: "RequestEnded", ...request, purpose: "opinion", ms: 5, stop: "end", usage },
      { type: "RequestEnded", ...request, requestId: "req_2", purpose: "judge", ms: 5, stop: "end", usage },
      complete,
    ]);
    expect(
      spans.slice(2).map(({ parent, attributes }) => [parent?.name, attributes["sheepdog.request.purpose"]]),
    ).toEqual([
      ["invoke_agent sheepdog", "opinion"],
      ["turn", "judge"],
    ]);
  });
});

describe("calls", () => {
  test("that fail have their status as the type of the error", () => {
    const { spans } = fold([
      started,
      { type: "ToolStart", callId: "c1", tool: "bash", input: {} },
      { type: "ToolEnd", callId: "c1", tool: "bash", status: "timeout", content: "It took too long.", ms: 9 },
      complete,
    ]);
    expect(spans[1]).toMatchObject({ name: "execute_tool bash", failure: "timeout" });
  });

  test("that another process started get a span of the length that they had", () => {
    const { spans } = fold([
      started,
      { type: "ToolEnd", callId: "c1", tool: "bash", status: "interrupted", content: "unknown", ms: 4, input: {} },
      complete,
    ]);
    expect(spans[1]).toMatchObject({ name: "execute_tool bash", startedAt: 1_006, endedAt: 1_010 });
  });

  test("that the gate refuses are events of the turn", () => {
    const call = { callId: "c1", tool: "bash" } as const;
    const { spans } = fold([
      started,
      { type: "TurnStarted", turn: 1 },
      { type: "GateDecision", ...call, tier: 4, decision: "deny", reason: "rm -rf /home/ann deletes files" },
      { type: "ToolBlocked", ...call, input: { command: "rm -rf /home/ann" }, by: "gate", message: "No: rm -rf" },
      { type: "TurnComplete", turn: 1 },
      complete,
    ]);
    expect(spans[1]?.events).toEqual([
      {
        name: "sheepdog.gate.decision",
        attributes: {
          "gen_ai.tool.name": "bash",
          "gen_ai.tool.call.id": "c1",
          "sheepdog.gate.tier": 4,
          "sheepdog.gate.decision": "deny",
        },
      },
      {
        name: "sheepdog.tool.blocked",
        attributes: { "gen_ai.tool.name": "bash", "gen_ai.tool.call.id": "c1", "sheepdog.blocked_by": "gate" },
      },
    ]);
  });
});

test("subagents and nodes of plans are below the call that started them", () => {
  const child = { sessionId: "ses_2", runId: "run_2" } as const;
  const node = { sessionId: "ses_3", runId: "run_3" } as const;
  const { spans } = fold([
    started,
    { type: "TurnStarted", turn: 1 },
    { type: "ToolStart", callId: "c1", tool: "spawn", input: {} },
    { type: "ChildStarted", childId: "ses_2", task: "Look.", depth: 1, callId: "c1" },
    { ...started, ...child },
    { type: "ToolStart", callId: "c2", tool: "execute_plan", input: {} },
    { type: "NodeStarted", nodeId: "build", childId: "ses_3", callId: "c2" },
    { ...started, ...node },
    { type: "RunComplete", result: result(node), ...node },
    { type: "RunComplete", result: result(child), ...child },
    { type: "ToolEnd", callId: "c1", tool: "spawn", status: "ok", content: "", ms: 1 },
    { type: "ToolEnd", callId: "c2", tool: "execute_plan", status: "ok", content: "", ms: 1 },
    complete,
  ]);
  expect(treeOf(spans)).toEqual([
    "invoke_agent sheepdog",
    "  turn",
    "    execute_tool spawn",
    "      invoke_agent sheepdog",
    "    execute_tool execute_plan",
    "      invoke_agent sheepdog",
  ]);
  expect(spans.at(-1)?.attributes["sheepdog.node.id"]).toBe("build");
});

test("content is there only if it is asked for", () => {
  const withContent = turn.map((body): AgentEventBody => {
    if (body.type === "RequestStarted")
      return {
        ...body,
        system: "Be kind.",
        messages: [{ role: "user", id: "m", at: 1, origin: "person", text: "Go." }],
      };
    return body.type === "RequestEnded" ? { ...body, parts: [{ type: "text", text: "I read it." }] } : body;
  });
  expect(JSON.stringify(fold([started, ...withContent, complete]).spans)).not.toMatch(
    /Go\.|Be kind|I read it|text of a/,
  );
  const { spans } = fold([started, ...withContent, complete], true);
  const [run, , chat, tool] = spans.map(({ attributes }) => attributes);
  expect(run).toMatchObject({
    "gen_ai.input.messages": expect.stringContaining("Go."),
    "gen_ai.output.messages": expect.stringContaining("Done."),
  });
  expect(chat).toMatchObject({
    "gen_ai.system_instructions": expect.stringContaining("Be kind."),
    "gen_ai.input.messages": expect.stringContaining("Go."),
    "gen_ai.output.messages": expect.stringContaining("I read it."),
  });
  expect(tool).toMatchObject({ "gen_ai.tool.call.arguments": '{"path":"a"}', "gen_ai.tool.call.result": "text of a" });
  for (const [type, attributes] of [
    ["invoke_agent.internal", run],
    ["inference.client", chat],
    ["execute_tool.internal", tool],
  ] as const)
    expect(spanProblems(`gen_ai.${type}`, attributes ?? {})).toEqual([]);
});

test("a clock that jumps back makes no span end before its start", () => {
  const { spans } = fold([
    started,
    { type: "TurnStarted", turn: 1 },
    { type: "TurnComplete", turn: 1, at: 5 },
    { ...complete, at: 1 },
  ]);
  expect(spans.map(({ startedAt, endedAt = 0 }) => endedAt - startedAt)).toEqual([0, 0]);
});
