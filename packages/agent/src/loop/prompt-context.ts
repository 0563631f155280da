import { type ContextBudget, createContextBudget } from "../context/context-budget.ts";
import { createFlushWatch, type FlushWatch } from "../context/memory-flush.ts";
import { createTokenCounter, type TokenCounter } from "../context/token-counter.ts";
import type { ToolDefinition } from "../protocol/tool-definition.ts";
import type { AgentRun } from "./agent-run.ts";
import { createSteeringCheck } from "./steering-check.ts";

/** What every request of a run holds besides the messages, and the means to measure its size. */
export interface PromptContext {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly counter: TokenCounter;
  readonly budget: ContextBudget;
  readonly flushWatch: FlushWatch;
}

/**
 * Step 3: the system text with its layers, and the tools as the model reads them. From now on, messages that do not
 * fit into the context are refused.
 */
export function buildContext(run: AgentRun): PromptContext {
  const { setup, history, inbox } = run;
  const { system, tools, settings } = setup;
  const counter = createTokenCounter({ cache: history.cache });
  inbox.checkWith(createSteeringCheck(run, { system, counter }));
  return {
    system,
    get tools() {
      return tools.definitions;
    },
    counter,
    budget: createContextBudget({ maxTokens: settings.maxContextTokens, counter }),
    flushWatch: createFlushWatch(),
  };
}
