import type { AgentSettings } from "@sheepdog/agent";
import type { Config } from "../config/schema.ts";

/** Builds the settings of the runtime from the configuration. */
export function buildAgentSettings({ agent, model }: Pick<Config, "agent" | "model">): Partial<AgentSettings> {
  return {
    maxTurns: agent.max_turns,
    maxDurationSecs: agent.max_duration_secs,
    maxContextTokens: agent.max_context_tokens,
    maxOutputTokens: model.max_output_tokens,
    maxToolOutputTokens: agent.max_tool_output_tokens,
    toolTimeoutSecs: agent.tool_timeout_secs,
    parallelTools: agent.parallel_tools,
    contextStrategy: agent.context_strategy,
    minTail: agent.min_tail,
    maxRetries: model.max_retries,
    maxTokensRecoveries: agent.guardrails.max_tokens_recoveries,
  };
}
