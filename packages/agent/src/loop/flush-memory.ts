import { planMemoryFlush, readFlushReply } from "../context/memory-flush.ts";
import type { CallPart, Message } from "../protocol/messages.ts";
import { requestModel } from "../provider/model-request.ts";
import { type ExecutableCall, executeCalls } from "../tools/execute-calls.ts";
import type { Tool } from "../tools/tool.ts";
import { askGate } from "./admit-calls.ts";
import { internalOptions, sizeOf } from "./request-options.ts";
import type { RunContext } from "./run-context.ts";

const memoryTool = "memory_write";

/** Whether older messages will soon be left out, and there is a memory to write to. */
export function isFlushDue(
  { tools, budget, system, sentTools, flushWatch }: RunContext,
  messages: readonly Message[],
): boolean {
  return tools.find(memoryTool) !== undefined && flushWatch.isDue(budget.measure(messages, system, sentTools).percent);
}

/** Lets the agent write down what matters before older messages are left out: one internal request, in no history, counted in cost and not in turns. */
export async function flushMemory(run: RunContext, messages: readonly Message[]): Promise<void> {
  const { tools, system, sentTools, settings, counter, clock } = run;
  const tool = tools.find(memoryTool);
  if (tool === undefined) return;
  const maxTokens = settings.maxContextTokens;
  const plan = planMemoryFlush({
    messages,
    system,
    tools: sentTools,
    maxTokens,
    counter,
    cache: run.cache,
    id: clock.newId("msg"),
    at: clock.now(),
  });
  const request = { system, messages: plan.messages, tools: sentTools, maxOutputTokens: plan.maxOutputTokens };
  const answer = await requestModel(request, internalOptions(run, run.guard.forRequest(), sizeOf(run, request)));
  if (!answer.ok) return; // the turn goes on without it; what is wrong with the model shows there
  const results = await executeCalls(await allowedOf(run, tool, readFlushReply(answer.message).calls), {
    parallel: false,
    timeoutMs: settings.toolTimeoutSecs * 1_000,
    maxOutputTokens: settings.maxToolOutputTokens,
    context: { sessionId: run.sessionId, runId: run.runId, workspace: run.workspace },
    signal: run.guard.signal,
    clock,
    emit: (event) => run.emit(event),
  });
  run.emit({ type: "MemoryFlushed", facts: results.filter(({ status }) => status === "ok").length });
}

/** The gate is asked here too; what it does not simply allow is not written down. */
async function allowedOf(run: RunContext, tool: Tool, calls: readonly CallPart[]): Promise<readonly ExecutableCall[]> {
  const allowed: ExecutableCall[] = [];
  for (const call of calls) if ((await askGate(run, call, tool)).decision === "allow") allowed.push({ call, tool });
  return allowed;
}
