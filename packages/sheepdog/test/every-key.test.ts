import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentEvent, type AgentSettings, findSandbox, type RunResult } from "@sheepdog/agent";
import { type ScriptedTurn, startWireServer, type WireServer } from "@sheepdog/agent/testing";
import type { LimitName, Policy } from "@sheepdog/guardian";
import { expect, type TestContext, test } from "vitest";
import { planRun } from "../src/commands/run/plan-run.ts";
import { buildAgentSettings } from "../src/compose/agent-settings.ts";
import { chooseModel } from "../src/compose/choose-model.ts";
import { type OpenAgentOptions, openAgent } from "../src/compose/open-agent.ts";
import { sandboxOptions } from "../src/compose/open-sandbox.ts";
import { openStores } from "../src/compose/open-stores.ts";
import { allKeys } from "../src/config/config-shape.ts";
import { type FlagValues, loadConfig } from "../src/config/load-config.ts";
import { buildRunPolicy } from "../src/config/policy/run-policy.ts";
import type { Config } from "../src/config/schema.ts";
import { type Home, resolveHome } from "../src/home.ts";
import { otlpTarget } from "../src/opentelemetry/otlp-target.ts";
import { chooseOpenTelemetry, type OpenTelemetrySettings } from "../src/opentelemetry/settings.ts";
import { fakeIo } from "./fake-io.ts";
import { startOtlpServer } from "./opentelemetry/otlp-server.ts";

/** A home folder, a workspace, and a model with a script. */
interface World {
  readonly home: Home;
  readonly workspace: string;
  readonly server: WireServer;
  readonly env: Readonly<Record<string, string>>;
  readonly config: Config;
}

/** An effect of a configuration. */
type Seen = (world: World) => unknown;

/** Proves that a key has an effect: the observation with the key differs from the one without it. */
interface Proof {
  readonly value: unknown;
  readonly seen: Seen;
  /** Other keys that must be set in both cases for the key to matter. */
  readonly beside?: FlagValues;
  /** The replies of the model. */
  readonly script?: readonly ScriptedTurn[];
}

const look = (path: string): ScriptedTurn => ({ calls: [{ tool: "read", input: { path } }] });
const done: ScriptedTurn = { text: "Done." };
const circles: readonly ScriptedTurn[] = [...Array.from({ length: 4 }, () => look("missing.txt")), done];
const priced: ScriptedTurn = { text: "Done.", usage: { input: 1_000_000, output: 1_000_000 } };

const setting =
  (name: keyof AgentSettings): Seen =>
  ({ config }) =>
    buildAgentSettings(config)[name];
const limit = (name: LimitName): Seen => policy(({ limits }) => limits[name]);
const byModel: FlagValues = { "model.provider": "anthropic", "model.model_id": "a-model" };

/** The models that the notes about addresses name. */
const noted = opened(({ addressNotes }) => addressNotes.map((note) => note.replace(/ at http.*/, "")));

/** Keys that matter if runs are exported. */
const exporting = { beside: { "opentelemetry.enabled": true } } as const;

const proofs: Readonly<Record<string, Proof>> = {
  "agent.max_turns": { value: 1, seen: ran(({ result }) => result.reason), script: [look("a.txt"), done] },
  "agent.max_duration_secs": { value: 5, seen: setting("maxDurationSecs") },
  "agent.max_context_tokens": { value: 5_000, seen: opened(({ maxContextTokens }) => maxContextTokens) },
  "agent.parallel_tools": {
    value: false,
    seen: ran(({ events }) => events.flatMap(({ type }) => (type === "ToolStart" || type === "ToolEnd" ? [type] : []))),
    script: [{ calls: ["a.txt", "b.txt"].map((path) => ({ tool: "read", input: { path } })) }, done],
  },
  "agent.context_strategy": { value: "none", seen: setting("contextStrategy") },
  "agent.enable_summarization": { value: false, seen: setting("contextStrategy") },
  "agent.min_tail": { value: 2, seen: setting("minTail") },
  "agent.max_tool_output_tokens": {
    value: 50,
    seen: ran(({ server }) => server.requests[1]?.text.length),
    script: [look("a.txt"), done],
  },
  "agent.tool_timeout_secs": {
    value: 5,
    seen: ran(({ config, server }) => [
      buildAgentSettings(config).toolTimeoutSecs,
      /milliseconds[^"]*?(\d{4,})/.exec(JSON.stringify(server.requests[0]?.body))?.[1],
    ]),
  },
  "agent.attended": { value: true, seen: attended },
  "agent.checkpoint.enabled": {
    value: false,
    seen: ran(async ({ home }) => (await filesIn(home.dir)).includes("sheepdog.db")),
  },
  "agent.guardian.enabled": { value: false, seen: ran(({ result }) => result.interventions.length), script: circles },
  "agent.guardian.mode": {
    value: "observe",
    seen: ran(({ server }) => server.requests.at(-1)?.text.includes("<sheepdog-notice id=")),
    script: circles,
  },
  "agent.guardian.preset": { value: "strict", seen: policy(({ name }) => name) },
  "agent.guardian.doom_loop_threshold": { value: 2, seen: policy(({ detectors }) => detectors["doom-loop"]) },
  "agent.guardian.second_opinion": { value: "always", seen: policy(({ secondOpinion }) => secondOpinion) },
  "agent.guardian.second_opinion_model": {
    value: "openai:a-judge",
    seen: ran(({ server }) => server.opinionRequests.map(({ model }) => model)),
    script: Array.from({ length: 5 }, () => look("missing.txt")),
  },
  "agent.guardian.stall_timeout_secs": { value: 5, seen: policy(({ stallMs }) => stallMs) },
  "agent.guardian.token_budget_soft": { value: 50, seen: limit("context") },
  "agent.guardian.token_budget_hard": { value: 90, seen: limit("context") },
  "agent.guardian.detectors": {
    value: { "failing-call": "off" },
    seen: ran(({ result }) => result.interventions.map(({ detector }) => detector)),
    script: circles,
  },
  "agent.guardian.tools": {
    value: { read: { off: "all" } },
    seen: ran(({ result }) => result.interventions.length),
    script: circles,
  },
  "agent.guardrails.max_tokens_recoveries": {
    value: 0,
    seen: ran(({ server }) => server.requests.length),
    script: [{ text: "Half an", stop: "length" }, done],
  },
  "agent.guardrails.max_repeated_tool_steps": {
    value: 5,
    beside: { "agent.guardian.preset": "aar" },
    seen: policy(({ detectors }) => detectors["seed-aar"]),
  },
  "agent.guardrails.reserve_tokens": { value: 100, seen: setting("reserveTokens") },
  "agent.guardrails.reserve_cost_fraction": { value: 0.5, seen: setting("reserveCostFraction") },
  "agent.judge.every_turns": { value: 5, seen: setting("judgeEveryTurns") },
  "agent.judge.max_cost_share": { value: 0.1, seen: setting("judgeMaxCostShare") },
  "agent.judge.model": { value: "openai:a-judge", seen: noted },
  "agent.director.max_parallel": { value: 1, seen: setting("maxParallelNodes") },
  "agent.director.max_nodes": { value: 5, seen: setting("maxPlanNodes") },
  "agent.director.max_evolution_cycles": { value: 0, seen: setting("maxEvolutionCycles") },
  "agent.director.model": { value: "openai:a-planner", seen: noted },
  "agent.director.models": { value: ["openai:a-node"], seen: noted },
  "agent.log.level": { value: 0, seen: ran(async ({ home }) => (await filesIn(home.dir)).includes("logs")) },
  "agent.log.dir": {
    value: "elsewhere",
    seen: ran(async ({ home }) => (await filesIn(home.dir)).includes("elsewhere")),
  },
  "budget.monthly_limit_cents": { value: 5, seen: limit("month-cost") },
  "budget.warning_threshold_cents": { value: 5, seen: limit("month-cost") },
  "budget.per_day_limit_cents": { value: 5, seen: limit("day-cost") },
  "budget.per_session_limit_cents": { value: 5, seen: limit("session-cost") },
  "budget.per_run_limit_cents": { value: 5, seen: limit("run-cost") },
  "budget.per_run_warning_percent": { value: 50, beside: { "budget.per_run_limit_cents": 5 }, seen: limit("run-cost") },
  "budget.per_run_limit_tokens": { value: 1, seen: ran(({ result }) => result.reason), script: [look("a.txt"), done] },
  "budget.unpriced": {
    value: "count-tokens",
    beside: { ...byModel, "budget.per_run_limit_cents": 5 },
    seen: ran(({ result }) => result.reason),
  },
  "budget.pricing_overrides": {
    value: { "a-model": { input: 100, output: 200 } },
    beside: byModel,
    seen: ran(({ result }) => result.costNanoUsd),
    script: [priced],
  },
  "model.provider": { value: "openai", seen: ran(({ server }) => server.requests[0]?.format) },
  "model.model_id": { value: "a-model", seen: ran(({ server }) => server.requests[0]?.model) },
  "model.base_url": {
    value: "http://127.0.0.1:9/v1",
    beside: { "model.max_retries": 0 },
    seen: ran(({ result }) => result.reason),
  },
  "model.max_retries": {
    value: 0,
    seen: ran(({ result }) => result.reason),
    script: [{ fault: { type: "status", status: 503, retryAfter: 0 } }, done],
  },
  "model.max_output_tokens": { value: 77, seen: ran(({ server }) => server.requests[0]?.body["max_tokens"]) },
  "model.stream": { value: false, seen: ran(({ server }) => server.requests[0]?.body["stream"]) },
  fallback_models: {
    value: [{ provider: "openai", model_id: "another" }],
    beside: { "model.max_retries": 0 },
    seen: ran(({ server }) => server.requests.map(({ model }) => model === "another")),
    script: [{ fault: { type: "status", status: 503 } }, done],
  },
  "security.pause_before": {
    value: ["re*"],
    seen: ran(({ events }) => events.some(({ type }) => type === "ToolStart")),
    script: [look("a.txt"), done],
  },
  "security.rules": {
    value: [{ tool: "read", path: "a.*", decision: "deny" }],
    seen: ran(({ events }) => events.some(({ type }) => type === "ToolStart")),
    script: [look("a.txt"), done],
  },
  "security.unattended_code": {
    value: "allow",
    beside: { "security.sandbox": "off" },
    seen: ran(({ events }) => events.flatMap((event) => (event.type === "GateDecision" ? [event.decision] : []))),
    script: [
      { calls: [{ tool: "write", input: { path: "x.js", content: "0" } }] },
      { calls: [{ tool: "bash", input: { command: "node x.js" } }] },
      done,
    ],
  },
  "security.reasoning": {
    value: "model",
    seen: ran(({ server }) => server.requests.length),
    script: [{ calls: [{ tool: "bash", input: { command: "curl http://sheep.invalid" } }] }, done],
  },
  "security.approval_timeout_secs": {
    value: 1,
    beside: { "security.pause_before": ["read"] },
    seen: ran(({ events }) => events.some(({ type }) => type === "ToolStart"), {
      attended: true,
      approve: slowApprove,
    }),
    script: [look("a.txt"), done],
  },
  "security.sandbox": {
    value: await otherSandboxMode(),
    seen: opened(({ isSandboxed }) => isSandboxed),
  },
  "security.sandbox_hosts": {
    value: ["registry.example.org"],
    seen: ({ config, home, workspace: cwd }) => sandboxOptions({ config, home, cwd }).hosts,
  },
  "security.allow_plain_http": {
    value: true,
    beside: { "model.base_url": "http://sheep.invalid/v1" },
    seen: async ({ config }) => (await chooseModel(config, { ANTHROPIC_API_KEY: "a-key" })).ok,
  },
  "security.max_safety_lessons": { value: 0, seen: lessonInPrompt },
  "mcp.servers": { value: { x: { command: "no-such-program" } }, seen: opened(({ notes }) => notes) },
  "opentelemetry.enabled": { value: true, seen: telemetry(() => "on") },
  "opentelemetry.endpoint": { value: "http://collector:4318", seen: telemetry(() => "on") },
  "opentelemetry.headers": { ...exporting, value: { team: "sheep" }, seen: target },
  "opentelemetry.protocol": { ...exporting, value: "http/json", seen: telemetry(({ protocol }) => protocol) },
  "opentelemetry.capture_content": { ...exporting, value: true, seen: resourceOrContent },
  "opentelemetry.service_name": { ...exporting, value: "night-shift", seen: resourceOrContent },
  "opentelemetry.resource_attributes": { ...exporting, value: { team: "sheep" }, seen: resourceOrContent },
  channels: { value: { phone: { type: "bell" } }, seen: channelNames },
};

/** The channels that a run tells people through. */
async function channelNames({ workspace, env, config }: World): Promise<readonly string[]> {
  const io = fakeIo({ cwd: workspace, env });
  const set = Object.entries(config.channels).map(([name, { type }]) => `channels.${name}.type=${type}`);
  const planned = await planRun(["Do it."], { set }, io);
  return planned.ok ? planned.plan.channels.map(({ name }) => name) : planned.problems;
}

/** Whether a lesson that is stored reaches the model. */
async function lessonInPrompt(world: World): Promise<boolean> {
  const stores = await openStores(world.home, world.home.logDir);
  await stores.lessons.learn({
    at: Date.now(),
    sessionId: "ses_1",
    action: "bash: git push",
    reflection: "The user objected to it.",
    principle: "intent",
    rule: "Ask the user before you use bash: git push.",
    confidence: 0.8,
    outcome: "corrected",
    source: "user",
  });
  await stores.close();
  const seen = ran(({ server }) =>
    JSON.stringify(server.requests[0]?.body).includes("Ask the user before you use bash"),
  );
  return (await seen(world)) === true;
}

test("every key has a proof", () => {
  expect(Object.keys(proofs).sort()).toEqual([...allKeys.keys()].sort());
});

test.for(Object.entries(proofs))(
  "%s has an effect",
  async ([key, { value, seen, beside = {}, script = [done] }], context) => {
    const without = await seen(await world(context, beside, script));
    const withIt = await seen(await world(context, { ...beside, [key]: value }, script));
    expect(withIt).not.toEqual(without);
    expect(await seen(await world(context, beside, script))).toEqual(without); // the difference comes from the key
  },
);

async function world(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  flags: FlagValues,
  script: readonly ScriptedTurn[],
): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "sheepdog-key-"));
  const server = await startWireServer(script, { afterLast: done });
  onTestFinished(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const workspace = join(folder, "work");
  await mkdir(workspace);
  for (const name of ["a.txt", "b.txt"]) await writeFile(join(workspace, name), `line of ${name}\n`.repeat(200));
  const env = {
    SHEEPDOG_HOME: join(folder, "home"),
    ANTHROPIC_API_KEY: "a-key",
    ANTHROPIC_BASE_URL: server.url,
    OPENAI_API_KEY: "another-key",
    OPENAI_BASE_URL: server.url,
  };
  const home = resolveHome(env);
  const loaded = await loadConfig({ env, cwd: workspace, home, flags });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return { home, workspace, server, env, config: loaded.config };
}

function policy(of: (policy: Policy) => unknown): Seen {
  return ({ config }) => {
    const chosen = buildRunPolicy(config);
    return chosen.ok ? of(chosen.policy) : chosen.problems;
  };
}

function telemetry(of: (settings: OpenTelemetrySettings) => unknown): Seen {
  return ({ config, env }) => {
    const choice = chooseOpenTelemetry(config.opentelemetry, env);
    return choice.isOn ? of(choice.settings) : undefined;
  };
}

/** Where the exports go, with their headers. */
function target(world: World): unknown {
  return telemetry((settings) => otlpTarget(settings, world.env))(world);
}

/** What a collector receives of a run: the resource, and whether there is content. */
async function resourceOrContent(world: World): Promise<unknown> {
  const collector = await startOtlpServer();
  const opentelemetry = { ...world.config.opentelemetry, endpoint: collector.url };
  await opened(({ runtime }) => runtime.run("ses_1", "Look around.").result)({
    ...world,
    config: { ...world.config, opentelemetry },
  });
  await collector.close();
  const [span] = collector.spans.filter(({ name }) => name.startsWith("chat"));
  const { "service.name": service, team } = span?.resource ?? {};
  return { service, team, hasContent: span?.attributes["gen_ai.input.messages"] !== undefined };
}

type Opened = Extract<Awaited<ReturnType<typeof openAgent>>, { ok: true }>["agent"];
type Watching = Pick<OpenAgentOptions, "attended" | "approve">;

function opened(of: (agent: Opened, world: World) => unknown, watching: Watching = { attended: false }): Seen {
  return async (world) => {
    const { home, workspace: cwd, env, config } = world;
    const found = await openAgent({ home, cwd, env, config, ...watching });
    if (!found.ok) return found.problems;
    try {
      return await of(found.agent, world);
    } finally {
      await found.agent.close();
    }
  };
}

interface Ran extends World {
  readonly result: RunResult;
  readonly events: readonly AgentEvent[];
}

/** An effect on a run. */
function ran(of: (ran: Ran) => unknown, watching?: Watching): Seen {
  return opened(async ({ runtime }, world) => {
    const run = runtime.run("ses_1", "Look around.");
    const events: AgentEvent[] = [];
    for await (const event of run) events.push(event);
    return of({ ...world, result: await run.result, events });
  }, watching);
}

async function attended({ config, workspace, env }: World): Promise<boolean | undefined> {
  const asked = config.agent.attended;
  const io = fakeIo({
    cwd: workspace,
    env: { ...env, ...(asked === undefined ? {} : { SHEEPDOG_AGENT__ATTENDED: String(asked) }) },
  });
  const planned = await planRun(["hello"], {}, io);
  return planned.ok ? planned.plan.attended : undefined;
}

/** Approves after more than a second. */
function slowApprove(): ReturnType<NonNullable<OpenAgentOptions["approve"]>> {
  return new Promise((resolve) => setTimeout(resolve, 1_500, { isAllowed: true }));
}

/** `off` where commands run in a sandbox by default; otherwise `required`, with which no agent can be opened. */
async function otherSandboxMode(): Promise<"off" | "required"> {
  const folder = await mkdtemp(join(tmpdir(), "sheepdog-sandbox-"));
  const { isAvailable } = await findSandbox({ workspace: folder });
  await rm(folder, { recursive: true });
  return isAvailable ? "off" : "required";
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
