import { createAiSdkGuard } from "@sheepdog/integrations/ai-sdk";
import { createClaudeAgentGuard } from "@sheepdog/integrations/claude-agent-sdk";
import { createLangChainGuard } from "@sheepdog/integrations/langchain";
import { guardToolNode } from "@sheepdog/integrations/langgraph";
import { createMastraGuard } from "@sheepdog/integrations/mastra";
import { createMcpProxy } from "@sheepdog/integrations/mcp-proxy";
import { createOpenAIAgentsGuard } from "@sheepdog/integrations/openai-agents";
import { expect, test } from "vitest";

const guards: Readonly<Record<string, (options: object) => unknown>> = {
  createAiSdkGuard,
  createClaudeAgentGuard,
  createLangChainGuard,
  createMastraGuard,
  createMcpProxy,
  createOpenAIAgentsGuard,
  guardToolNode: (options) => guardToolNode({ invoke: async () => ({ messages: [] }) }, options),
};

test.each(Object.entries(guards))("%s refuses wrong options at once, and not in a run", (_, create) => {
  expect(() => create({ mode: "strict" })).toThrow(/guide, advise, observe|strict/);
});
