import type { AgentSettings } from "@sheepdog/agent";
import type { Config } from "../config/schema.ts";

/** Builds the settings of the runtime from the configuration. What is not set depends on the model and the run. */
export function buildAgentSettings({
  agent,
  model,
  security,
}: Pick<Config, "agent" | "model" | "security">): Partial<AgentSettings> {
  const { max_output_tokens: maxOutputTokens, max_retries: maxRetries } = model;
  return {
    maxTurns: agent.max_turns,
    maxDurationSecs: agent.max_duration_secs,
    maxToolOutputTokens: agent.max_tool_output_tokens,
    toolTimeoutSecs: agent.tool_timeout_secs,
    parallelTools: agent.parallel_tools,
    contextStrategy: agent.context_strategy,
    minTail: agent.min_tail,
    maxTokensRecoveries: agent.guardrails.max_tokens_recoveries,
    reserveTokens: agent.guardrails.reserve_tokens,
    reserveCostFraction: agent.guardrails.reserve_cost_fraction,
    stream: model.stream,
    gateReasoning: security.reasoning,
    judgeEveryTurns: agent.judge.every_turns,
    judgeMaxCostShare: agent.judge.max_cost_share,
    maxParallelNodes: agent.director.max_parallel,
    maxPlanNodes: agent.director.max_nodes,
    maxEvolutionCycles: agent.director.max_evolution_cycles,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
  };
}
