import { createDirector, type Director } from "../director/director.ts";
import { directorSystem } from "../director/director-system.ts";
import type { Guard } from "../guard/guard.ts";
import type { Emit } from "../protocol/events.ts";
import type { RunRef } from "../protocol/run.ts";
import type { AgentSettings } from "../protocol/settings.ts";
import type { Model } from "../provider/model.ts";
import type { History } from "../session/history.ts";
import { createNodeRuns } from "./node-runs.ts";
import type { RunRequest } from "./run-request.ts";
import { runSettings } from "./run-settings.ts";
import type { RuntimeContext } from "./runtime-options.ts";
import type { Spawner } from "./subagents.ts";

/**
 * The options of a director's run: it reads and plans, and its subagents are the nodes, with the options of the
 * runtime. The number of nodes is limited by the settings, so the guardian does not count them as too many subagents.
 */
export function directorContext(context: RuntimeContext): RuntimeContext {
  const { directorModel, system = "", policy } = context;
  const { maxPlanNodes, maxEvolutionCycles } = runSettings(context);
  const maxNodes = maxPlanNodes * (maxEvolutionCycles + 1);
  const text = directorSystem({ tools: nodeTools(context), models: Object.keys(nodeModels(context)) });
  const { depth, perRun, perMinute } = policy.spawn;
  return {
    ...context,
    ...(directorModel === undefined ? {} : { models: [directorModel, ...context.models] }),
    system: system === "" ? text : `${system}\n\n${text}`,
    tools: (context.tools ?? []).filter(({ kind }) => kind === "read"),
    changingTools: () => [],
    subagents: false,
    policy: {
      ...policy,
      spawn: { depth, perRun: Math.max(perRun, maxNodes), perMinute: Math.max(perMinute, maxNodes) },
    },
    childContext: context,
  };
}

export interface DirectorParts {
  readonly request: RunRequest;
  readonly run: RunRef & { readonly startedAt: number; readonly billingSessionId: string };
  /** When the work on the prompt began. */
  readonly promptedAt: number;
  readonly settings: AgentSettings;
  readonly spawner: Spawner;
  readonly history: History;
  readonly guard: () => Guard;
  readonly emit: Emit;
  readonly save: () => Promise<void>;
}

/** The director of a run; undefined for a run that works itself. */
export function createRunDirector(
  { childContext, stores, redact, reportUsage }: RuntimeContext,
  { request, run, promptedAt, settings, spawner, history, guard, emit, save }: DirectorParts,
): Director | undefined {
  const { goal, isDirected } = request;
  if (isDirected === undefined || childContext === undefined || goal === undefined) return undefined;
  const models = nodeModels(childContext);
  const nodeRuns = createNodeRuns({
    ...run,
    goal,
    stores,
    redact,
    spawner,
    models,
    maxInputTokens: settings.maxToolOutputTokens,
    emit,
    save,
    reportUsage(usage) {
      guard().observe(usage);
      reportUsage?.(usage);
    },
    knownSpending: () => subagentSpending(guard()),
  });
  return createDirector({
    settings,
    tools: nodeTools(childContext),
    models: Object.keys(models),
    messages: () => history.messages,
    startedAt: run.startedAt,
    promptedAt,
    nodeRuns,
    emit,
    save,
  });
}

function nodeTools({ tools = [], changingTools, subagents }: RuntimeContext): readonly string[] {
  return [
    ...[...tools, ...(changingTools?.() ?? [])].map(({ name }) => name),
    ...(subagents === true ? ["spawn"] : []),
  ];
}

/** The models of the runtime and those for nodes, by name. The first one has the others to fall back to. */
function nodeModels({ models, nodeModels: further = {} }: RuntimeContext): Readonly<Record<string, readonly Model[]>> {
  const named = [...models.map((model) => [model.modelId, model] as const), ...Object.entries(further)];
  const single = Object.fromEntries(named.map(([name, model]) => [name, [model]]));
  return { ...single, [models[0]?.modelId ?? ""]: models };
}

function subagentSpending(guard: Guard): { readonly tokens: number; readonly costNanoUsd: number } {
  const { subagents, subagentTotals } = guard.snapshot();
  const all = [...subagents, subagentTotals];
  return {
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
    costNanoUsd: all.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0),
  };
}
