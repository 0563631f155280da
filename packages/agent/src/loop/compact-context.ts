import { fitContext } from "../context/fitted-context.ts";
import type { PromptOverflow } from "../context/prompt-overflow.ts";
import { compactPercent } from "../context/thresholds.ts";
import type { Message } from "../protocol/messages.ts";
import type { AgentRun } from "./agent-run.ts";
import type { PromptContext } from "./prompt-context.ts";
import { summarizeMessages } from "./summarize-messages.ts";

/** The messages of the next request, and the share of the context they fill, in percent. */
export interface ContextUse {
  readonly messages: readonly Message[];
  readonly percent: number;
}

/** Step 4: counts the tokens of the next request. Messages counted in earlier turns are not counted again. */
export function countTokens({ history }: AgentRun, { system, tools, budget }: PromptContext): ContextUse {
  const messages = history.toSend();
  return { messages, percent: budget.measure(messages, system, tools).percent };
}

/** The messages to send, and their size. */
export interface FittedMessages {
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** The prompts alone do not fit: nothing may be sent. */
  readonly overflow?: PromptOverflow;
}

/**
 * Step 5: compacts the messages if they fill 85 % of the context, or in any case after the provider refused them as too
 * long, and reports the size to the guardian. The history itself does not change.
 */
export async function compactContext(
  run: AgentRun,
  { system, tools, counter, budget }: PromptContext,
  { isRefused = false }: { readonly isRefused?: boolean } = {},
): Promise<FittedMessages> {
  const { setup, history, guard, events, spending } = run;
  const { maxContextTokens, contextStrategy, minTail } = setup.settings;
  const { messages, before, after, isCompacted, overflow } = await fitContext({
    messages: history.toSend(),
    system,
    tools,
    counter,
    budget,
    cache: history.cache,
    minTail,
    isRefused,
    maxTokens: maxContextTokens,
    strategy: contextStrategy,
    summarize: summarizeMessages(run, { system, tools, counter }),
    signal: guard.signal,
    runStartedAt: setup.startedAt,
  });
  if (overflow !== undefined) return { messages, tokens: after, overflow };
  history.setSent(messages);
  if (isCompacted) {
    events.emit({ type: "ContextCompacted", before, after, strategy: contextStrategy });
    guard.observe({ type: "compacted" });
  }
  const compactsAt = contextStrategy === "none" ? undefined : compactPercent;
  spending.reportUsage({ tokens: after, max: maxContextTokens, compactsAt });
  return { messages, tokens: after };
}
