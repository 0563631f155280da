import { type FittedContext, fitContext } from "../context/fitted-context.ts";
import { tellBudgets } from "../costs/settle.ts";
import type { Message } from "../protocol/messages.ts";
import { flushMemory, isFlushDue } from "./flush-memory.ts";
import type { RunContext } from "./run-context.ts";
import { summarizeOlder } from "./summarize-messages.ts";

/**
 * Counts the tokens, compacts the messages if there are too many, and reports to the guardian how full the context is.
 * The history itself does not change.
 */
export async function fitRunContext(run: RunContext, isRefused = false): Promise<readonly Message[]> {
  const { history, system, sentTools: tools, settings, counter, budget, cache, guard, progress } = run;
  const { view } = progress;
  const messages = view === undefined ? history.messages : [...view.messages, ...history.messages.slice(view.covers)];
  if (isFlushDue(run, messages)) await flushMemory(run, messages);
  const fitted = await fitContext({
    messages,
    system,
    tools,
    maxTokens: settings.maxContextTokens,
    strategy: settings.contextStrategy,
    minTail: settings.minTail,
    counter,
    budget,
    cache,
    summarize: summarizeOlder(run),
    signal: guard.signal,
    isRefused,
  });
  return noted(run, fitted);
}

/** What is to be sent; how much that is, is noted and told. */
function noted(run: RunContext, { messages, before, after, isCompacted }: FittedContext): readonly Message[] {
  const { history, settings, progress, guard } = run;
  progress.view = messages === history.messages ? undefined : { messages, covers: history.messages.length };
  progress.contextTokens = after;
  if (isCompacted) {
    run.emit({ type: "ContextCompacted", before, after, strategy: settings.contextStrategy });
    guard.guardian.observe({ type: "compacted" });
  }
  tellBudgets(run, { tokens: after, max: settings.maxContextTokens });
  return messages;
}
