import { tellBudgets } from "./account.ts";
import { fitContext } from "./context/fit-context.ts";
import { flushMemory, isFlushDue } from "./flush.ts";
import type { Message } from "./messages.ts";
import type { RunContext } from "./run-context.ts";
import { summarizeOlder } from "./summarize-older.ts";

/** Counts the tokens, makes room where they are too many, and tells the guardian how full the context is. The history itself stays as it is. */
export async function fit(run: RunContext, isRefused = false): Promise<readonly Message[]> {
  const { history, system, settings, counter, budget, progress, guard } = run;
  const { view } = progress;
  const messages = view === undefined ? history.messages : [...view.messages, ...history.messages.slice(view.covers)];
  if (isFlushDue(run, messages)) await flushMemory(run, messages);
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
    signal: run.guard.signal,
    isRefused,
  });
  progress.view = fitted.messages === history.messages ? undefined : { messages: fitted.messages, covers: history.messages.length };
  progress.contextTokens = fitted.after;
  if (fitted.isCompacted) {
    run.emit({ type: "ContextCompacted", before: fitted.before, after: fitted.after, strategy: settings.contextStrategy });
    guard.guardian.observe({ type: "compacted" });
  }
  tellBudgets(run, { tokens: fitted.after, max: settings.maxContextTokens });
  return fitted.messages;
}
