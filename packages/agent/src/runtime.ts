import { defaultPolicy, maskSecrets, type Policy } from "@sheepdog/guardian";
import { createEventBus, type EventBus } from "./bus/event-bus.ts";
import { type Clock, machineClock } from "./clock.ts";
import { commit } from "./commit.ts";
import { createContextBudget } from "./context/budget.ts";
import { createTokenCounter } from "./context/count-tokens.ts";
import { createFlushWatch } from "./context/flush-memory.ts";
import type { Ending } from "./ending.ts";
import type { AgentEvent, AgentEventBody, Emit } from "./events.ts";
import type { Gate } from "./gate/gate.ts";
import { createGate } from "./gate/small-gate.ts";
import { createGuard } from "./guard.ts";
import { openHistory } from "./history.ts";
import { createRunLog } from "./logs/run-log.ts";
import { loop } from "./loop.ts";
import type { Usage } from "./messages.ts";
import type { Model } from "./provider/model.ts";
import { toTools } from "./provider/to-tools.ts";
import { createQueue, type Queue } from "./queue.ts";
import { outcomes, type RunResult } from "./result.ts";
import type { Run } from "./run.ts";
import type { Approval, RunContext } from "./run-context.ts";
import { addSteering } from "./say.ts";
import { type AgentSettings, checkLimits, checkSettings, defaultSettings } from "./settings.ts";
import { memoryStores } from "./stores/memory-stores.ts";
import type { Stores } from "./stores/stores.ts";
import { createSpawn, type Parent } from "./sub-agents.ts";
import { createRegistry, type Registry } from "./tools/registry.ts";
import { type Spawn, spawnTool } from "./tools/spawn.ts";
import type { Tool } from "./tools/tool.ts";
import { noUsage } from "./total-usage.ts";

/** What a runtime is made of. Only a model is needed. */
export interface RuntimeOptions {
  /** The model, then those to fall back to. */
  readonly models: readonly Model[];
  readonly tools?: readonly Tool[];
  /** Gives the model a tool that starts sub-agents with the same tools. */
  readonly subAgents?: boolean;
  /** Absolute; where tools work. */
  readonly workspace?: string;
  /** What the model is told of itself and its work. */
  readonly system?: string;
  readonly settings?: Partial<AgentSettings>;
  readonly policy?: Policy;
  readonly gate?: Gate;
  readonly stores?: Stores;
  /** A person is watching: then `approve` is asked. */
  readonly attended?: boolean;
  readonly approve?: NonNullable<RunContext["approve"]>;
  readonly price?: (model: string, usage: Usage) => number | null;
  readonly clock?: Clock;
  /** Where run logs go, and how much they hold: 1 a summary, 2 turns and the guardian, 3 calls as well. None are written unless it is said. */
  readonly log?: { readonly dir: string; readonly level: 1 | 2 | 3 };
}

/** Runs agents. */
export interface Runtime {
  readonly bus: EventBus;
  readonly stores: Stores;
  /** Works a prompt off in a session, which is made if there is none of that id. */
  run(sessionId: string, prompt: string): Run;
}

/** Makes a runtime. It keeps its sessions in memory unless it is given stores. */
export function createRuntime(options: RuntimeOptions): Runtime {
  if (options.models.length === 0) throw new Error("Expected at least one model, got none.");
  checkSettings({ ...defaultSettings, ...options.settings });
  checkLimits(options.policy ?? defaultPolicy);
  const clock = options.clock ?? machineClock;
  const queue = createQueue();
  const stores = options.stores ?? memoryStores();
  const bus = createEventBus({ now: () => clock.now() });
  return { bus, stores, run: (sessionId, prompt) => startRun({ ...options, ...queue, clock, stores, depth: 0 }, bus, sessionId, prompt) };
}

type Ready = RuntimeOptions & { readonly clock: Clock; readonly stores: Stores; readonly depth: number } & Queue;

function startRun(options: Ready, bus: EventBus, sessionId: string, prompt: string): Run {
  const runId = options.clock.newId("run");
  const cancelled = new AbortController();
  const steering: string[] = [];
  let isOver = false;
  const emit = (event: AgentEventBody) => bus.emit({ sessionId, runId }, event);
  const events = bus.stream({ sessionId, runId });
  const closeLog = options.log === undefined ? undefined : keepLog(bus, { ...options.log, sessionId, runId });
  const start: Parent["start"] = (childId, task, depth, { tools, maxTurns }) => {
    const allowed = tools === undefined ? {} : { tools: (options.tools ?? []).filter((tool) => tools.includes(tool.name)), subAgents: tools.includes("spawn") };
    const settings = {
      ...options.settings,
      ...(maxTurns === undefined ? {} : { maxTurns: Math.min(maxTurns, options.settings?.maxTurns ?? defaultSettings.maxTurns) }),
    };
    return startRun({ ...options, ...allowed, settings, attended: false, depth }, bus, childId, task);
  };
  const result = work(options, start, { sessionId, runId, prompt, emit, signal: cancelled.signal, takeSteering: () => steering.splice(0) }).finally(() => {
    isOver = true;
    return closeLog?.();
  });
  return {
    sessionId,
    runId,
    result,
    cancel: () => cancelled.abort(),
    steer(text) {
      if (!isOver) steering.push(text);
      return !isOver;
    },
    [Symbol.asyncIterator]: (): AsyncIterator<AgentEvent> => events[Symbol.asyncIterator](),
  };
}

/** Writes what happens in a run to its log. */
function keepLog(bus: EventBus, options: Parameters<typeof createRunLog>[0]): () => Promise<void> {
  const log = createRunLog(options);
  const { sessionId, runId } = options;
  const unsubscribe = bus.subscribe({ listener: log.write, sessionId, runId });
  return async () => {
    unsubscribe();
    await log.close();
  };
}

type Started = Pick<RunContext, "sessionId" | "runId" | "prompt" | "emit" | "signal" | "takeSteering">;

async function work(options: Ready, start: Parent["start"], started: Started): Promise<RunResult> {
  const { emit, prompt } = started;
  emit({ type: "RunStarted", prompt });
  let run: RunContext | undefined;
  let ending: Ending;
  try {
    await options.turn(started.sessionId);
    run = await prepare(options, start, started);
    ending = await loop(run);
    addSteering(run);
    await commit(run); // whatever way it ended, what was said is kept
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    ending = { reason: "internal_error", text: problem, problem }; // a broken promise of our own code, told in good order
  }
  run?.guard.close();
  options.release(started.sessionId);
  const result = resultOf(started, run, ending);
  emit(result.state === "completed" ? { type: "RunComplete", result } : { type: "RunError", result });
  return result;
}

async function prepare(options: Ready, start: Parent["start"], started: Started): Promise<RunContext> {
  const { stores, clock, attended = false, depth } = options;
  const settings = { ...defaultSettings, ...options.settings };
  const spawn: Spawn = (...asked) => createSpawn({ guard, emit: started.emit, clock, depth, start })(...asked); // the guard is made below, and asked later
  const registry = createRegistry([...(options.tools ?? []), ...(options.subAgents ? [spawnTool(spawn)] : [])]);
  const saved = await stores.checkpoints.load(started.sessionId);
  const guard = createGuard({
    policy: withLimits(options.policy ?? defaultPolicy, settings),
    run: started.runId,
    attended,
    tools: registry.all,
    clock,
    emit: started.emit,
    ...(saved === undefined ? {} : { state: saved.guardian }),
  });
  const counter = createTokenCounter();
  const approve: { readonly approve?: (...args: never[]) => Promise<Approval> } = attended && options.approve !== undefined ? { approve: options.approve } : {};
  const emit: Emit = (event) => started.emit(isMadeUp(event, registry) ? { ...event, tool: maskSecrets(event.tool) } : event);
  return {
    ...started,
    emit,
    ...(approve as Pick<RunContext, "approve">), // the very function that was given
    system: options.system ?? "You are an agent that works with tools. Work step by step, and say when you are done.",
    workspace: options.workspace ?? process.cwd(),
    settings,
    models: options.models,
    tools: registry,
    sentTools: await toTools(registry.all),
    gate: options.gate ?? createGate(),
    guard,
    stores,
    history: await openHistory(stores.history, started.sessionId),
    clock,
    counter,
    flushWatch: createFlushWatch(),
    budget: createContextBudget({ maxTokens: settings.maxContextTokens, counter }),
    price: options.price ?? (() => null),
    progress: { turn: 0, view: { messages: [], covers: 0 }, total: noUsage, costNanoUsd: 0, recovered: { length: 0, empty: 0 } },
  };
}

/** A tool that the model has made up; its name may be anything. */
function isMadeUp(event: AgentEventBody, registry: Registry): event is Extract<AgentEventBody, { readonly type: "ToolUseStart" }> {
  return event.type === "ToolUseStart" && registry.find(event.tool) === undefined;
}

/** The policy with the limits of the settings, where it has none of its own. */
function withLimits(policy: Policy, settings: AgentSettings): Policy {
  const ofSettings = { turns: { stop: settings.maxTurns }, time: { stop: settings.maxDurationSecs * 1_000 }, context: { warn: 80, stop: 95 } };
  return { ...policy, limits: { ...ofSettings, ...policy.limits } };
}

function resultOf({ sessionId, runId }: Started, run: RunContext | undefined, { reason, text, problem }: Ending): RunResult {
  return {
    sessionId,
    runId,
    ...outcomes[reason],
    reason,
    text: reason === "answered" ? text : maskSecrets(text),
    ...(problem === undefined ? {} : { problem: maskSecrets(problem.split("\n")[0] ?? "") }),
    turns: run?.progress.turn ?? 0,
    usage: run?.progress.total ?? noUsage,
    costNanoUsd: run?.progress.costNanoUsd ?? null,
    interventions: run?.guard.interventions ?? [],
  };
}
