import { type ContextBudget, createContextBudget } from "../context/context-budget.ts";
import { createFlushWatch, type FlushWatch } from "../context/memory-flush.ts";
import { createTokenCounter, type TokenCounter } from "../context/token-counter.ts";
import type { ToolDefinition } from "../protocol/tool-definition.ts";
import type { AgentRun } from "./agent-run.ts";

/** What every request of a run holds besides the messages, and the means to measure its size. */
export interface PromptContext {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly counter: TokenCounter;
  readonly budget: ContextBudget;
  readonly flushWatch: FlushWatch;
}

/** Step 3: the system text with its layers, and the tools as the model reads them. */
export function buildContext({ setup, history }: AgentRun): PromptContext {
  const { system, toolDefinitions, settings } = setup;
  const counter = createTokenCounter({ cache: history.cache });
  return {
    system,
    tools: toolDefinitions,
    counter,
    budget: createContextBudget({ maxTokens: settings.maxContextTokens, counter }),
    flushWatch: createFlushWatch(),
  };
}
