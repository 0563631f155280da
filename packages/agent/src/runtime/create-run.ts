import { defaultPolicy, type Policy } from "@sheepdog/guardian";
import { createContextBudget } from "../context/budget.ts";
import { createTokenCounter } from "../context/count-tokens.ts";
import { createFlushWatch } from "../context/flush-memory.ts";
import { runPrices } from "../costs/run-prices.ts";
import { spentBy } from "../costs/run-spending.ts";
import { createGate } from "../gate/default-gate.ts";
import { criteriaJudge } from "../goals/judge.ts";
import { createGuard } from "../guard/guard.ts";
import { Progress, RunContext } from "../loop/run-context.ts";
import { type AgentSettings, settingsOf } from "../protocol/settings.ts";
import { noUsage } from "../protocol/usage.ts";
import { toTools } from "../provider/to-tools.ts";
import { closeOrphanedSession } from "../session/close-orphaned-run.ts";
import { createHistory } from "../session/history.ts";
import type { OpenSession } from "../session/open-session.ts";
import { type Spawn, spawnTool } from "../tools/spawn-tool.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import type { Started } from "./run-lifecycle.ts";
import type { Ready } from "./runtime.ts";
import { childOf, createSpawn, type Parent } from "./subagents.ts";

/** Puts together what a run works with: its options, its session as it was kept, and where it stood. */
export async function createRun(
  options: Ready,
  start: Parent["start"],
  started: Started,
  { lease, saved }: OpenSession,
): Promise<RunContext> {
  const { stores, clock, attended = false, depth, approve } = options;
  const settings = settingsOf(options.settings);
  const { outbox, resumed, runId, sessionId } = started;
  const billingSessionId = options.billingSessionId ?? sessionId;
  const children = new Set<Promise<unknown>>();
  const spawn: Spawn = (...asked) =>
    createSpawn({ guard, emit: (event) => outbox.emit(event), depth, start, children, above: options.above })(...asked); // the guard is made below, and asked later
  const registry = createToolRegistry([...(options.tools ?? []), ...(options.subagents ? [spawnTool(spawn)] : [])]);
  const sentTools = await toTools(registry.all);
  const prices = await runPrices(options.price, options.models, clock);
  const books = await stores.costs.totals(billingSessionId, clock.now());
  const spent = resumed === undefined ? undefined : spentBy(runId, await stores.costs.rows(billingSessionId));
  const { checkpoint } = saved;
  const before = checkpoint?.runId === runId ? checkpoint : undefined;
  const counter = createTokenCounter();
  // The last that is made: it has a timer.
  const guard = createGuard({
    policy: withLimits(options.policy ?? defaultPolicy, settings),
    run: runId,
    attended,
    tools: registry.all,
    clock,
    emit: (event) => outbox.emit(event),
    signal: started.signal,
    ...(checkpoint === undefined ? {} : { state: checkpoint.guardian }),
  });
  return new RunContext({
    sessionId,
    runId,
    title: started.title,
    prompt: started.prompt,
    ...(started.goal === undefined ? {} : { goal: started.goal }),
    outbox,
    signal: started.signal,
    steering: started.steering,
    onBegun: started.onBegun,
    startedAt: resumed?.startedAt ?? clock.now(),
    isResumed: resumed !== undefined,
    ...(attended && approve !== undefined ? { approve } : {}),
    system: options.system ?? "You are an agent that works with tools. Work step by step, and say when you are done.",
    workspace: options.workspace ?? process.cwd(),
    settings,
    models: options.models,
    tools: registry,
    sentTools,
    gate: options.gate ?? createGate(),
    judge: options.judge ?? criteriaJudge,
    guard,
    stores,
    lease,
    billingSessionId,
    children,
    unansweredCalls: saved.unansweredCalls,
    async closeChild(callId) {
      for (const { runId: madeBy } of saved.runs.toReversed()) {
        const spentThere = await closeOrphanedSession(
          { ...options, bus: started.bus, billingSessionId },
          childOf(sessionId, madeBy, callId),
        );
        if (spentThere.length > 0) return spentThere;
      }
      return [];
    },
    history: createHistory(saved.messages),
    clock,
    counter,
    flushWatch: createFlushWatch(),
    budget: createContextBudget({ maxTokens: settings.maxContextTokens, counter }),
    prices,
    progress: new Progress({
      turn: before?.turn ?? 0,
      isAsked: false,
      view: undefined,
      contextTokens: 0,
      total: spent?.usage ?? noUsage,
      costNanoUsd: spent === undefined ? 0 : spent.costNanoUsd,
      isPriced: true,
      books,
      unsettled: [],
      recoveries: before?.recoveries ?? { length: 0, empty: 0 },
    }),
  });
}

/** The policy with the limits of the settings, where it has none of its own. */
export function withLimits(policy: Policy, settings: AgentSettings): Policy {
  const ofSettings = {
    turns: { stop: settings.maxTurns },
    time: { stop: settings.maxDurationSecs * 1_000 },
    context: { warn: 80, stop: 95 },
  };
  return { ...policy, limits: { ...ofSettings, ...policy.limits } };
}
