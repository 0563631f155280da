import { planMemoryFlush, readFlushReply } from "../context/memory-flush.ts";
import { findPromptOverflow } from "../context/prompt-overflow.ts";
import type { CallPart } from "../protocol/messages.ts";
import { type ExecutableCall, executeCalls } from "../tools/execute-calls.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentRun } from "./agent-run.ts";
import { askGate } from "./ask-gate.ts";
import type { ContextUse } from "./compact-context.ts";
import { executeOptions } from "./execute-admitted.ts";
import type { PromptContext } from "./prompt-context.ts";
import { internalRequestOptions, requestSize } from "./request-options.ts";

const MEMORY_TOOL = "memory_write";

/**
 * Step 14: before older messages are compacted away, lets the agent save what matters: one internal request that is not
 * part of the history, counted in cost but not in turns. It follows the warning about a full context, and comes before
 * a compaction in any case.
 */
export async function flushMemory(run: AgentRun, context: PromptContext, use: ContextUse): Promise<void> {
  const { setup, history, guard, events } = run;
  const { tools, settings, clock } = setup;
  const { system, counter, flushWatch } = context;
  const tool = tools.find(MEMORY_TOOL);
  const warnedAt = guard.snapshot().limits.context?.warnedAt;
  if (tool === undefined || !flushWatch.isDue(use.percent, warnedAt)) return;
  await counter.load(); // the next step needs exact counts too
  const conversation = {
    messages: use.messages,
    system,
    tools: context.tools,
    counter,
    maxTokens: settings.maxContextTokens,
    runStartedAt: setup.startedAt,
  };
  if (findPromptOverflow(conversation) !== undefined) return; // the run ends before its request
  const plan = planMemoryFlush({ ...conversation, cache: history.cache, id: clock.newId("msg"), at: clock.now() });
  const request = { system, messages: plan.messages, tools: context.tools, maxOutputTokens: plan.maxOutputTokens };
  const size = requestSize(context, { ...request, purpose: "memory" });
  const answer = await setup.requestModel(
    request,
    internalRequestOptions(run, { signal: guard.requestSignal(), size, counter }),
  );
  if (!answer.ok) return; // the turn continues without a flush; its own request shows what is wrong with the model
  const calls = await allowedCalls(run, tool, readFlushReply(answer.message).calls);
  const results = await executeCalls(calls, { ...executeOptions(run), parallel: false });
  run.audit.finished(results);
  events.emit({ type: "MemoryFlushed", facts: results.filter(({ status }) => status === "ok").length });
}

/** Calls that the gate allows without asking. */
async function allowedCalls(run: AgentRun, tool: Tool, calls: readonly CallPart[]): Promise<readonly ExecutableCall[]> {
  const allowed: ExecutableCall[] = [];
  for (const call of calls) {
    if ((await askGate(run, call, tool)).decision === "allow") allowed.push({ call, tool });
    else run.audit.finished([{ callId: call.id, status: "denied", content: "" }]);
  }
  return allowed;
}
