import { type FittedContext, fitAsIs, fitContext } from "../context/fitted-context.ts";
import { tellBudgets } from "../costs/settle.ts";
import type { Message } from "../protocol/messages.ts";
import { flushMemory, isFlushDue } from "./flush-memory.ts";
import type { RunContext } from "./run-context.ts";
import { summarizeOlder } from "./summarize-messages.ts";

/**
 * Counts the tokens, makes room where they are too many, and tells the guardian how full the context is. The history itself stays as it is.
 * What is to be sent is there at once where there is room for it, and later where room has to be made.
 */
export function fitRunContext(run: RunContext, isRefused = false): readonly Message[] | Promise<readonly Message[]> {
  const { history, system, sentTools: tools, settings, counter, budget, progress } = run;
  const { view } = progress;
  const messages = view === undefined ? history.messages : [...view.messages, ...history.messages.slice(view.covers)];
  if (isFlushDue(run, messages)) return flushAndMakeRoom(run, messages, isRefused);
  const fitted = isRefused
    ? undefined
    : fitAsIs({ messages, system, tools, maxTokens: settings.maxContextTokens, counter, budget });
  return fitted === undefined ? makeRoom(run, messages, isRefused) : noted(run, fitted);
}

async function flushAndMakeRoom(
  run: RunContext,
  messages: readonly Message[],
  isRefused: boolean,
): Promise<readonly Message[]> {
  await flushMemory(run, messages);
  return makeRoom(run, messages, isRefused);
}

async function makeRoom(
  run: RunContext,
  messages: readonly Message[],
  isRefused: boolean,
): Promise<readonly Message[]> {
  const { system, settings, counter, budget, guard } = run;
  const fitted = await fitContext({
    messages,
    system,
    tools: run.sentTools,
    maxTokens: settings.maxContextTokens,
    strategy: settings.contextStrategy,
    minTail: settings.minTail,
    counter,
    budget,
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
