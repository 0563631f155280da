import type { Framework } from "../framework.ts";
import { aiSdk } from "./ai-sdk.ts";
import { claudeAgentSdk } from "./claude-agent-sdk.ts";
import { langchain } from "./langchain.ts";
import { langgraph } from "./langgraph.ts";
import { mastra } from "./mastra.ts";
import { openaiAgents } from "./openai-agents.ts";

/** The frameworks that are measured. A new one is a file and a line here. */
export const frameworks: readonly Framework[] = [
  aiSdk("ai 6.0.326", "ai/node_modules/ai/dist/index.mjs"),
  aiSdk("ai 7.0.169", "ai-7/node_modules/ai/dist/index.js"),
  claudeAgentSdk,
  langchain,
  langgraph,
  openaiAgents,
  mastra,
];
