import type { BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { Command, isGraphBubbleUp } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  AIMessage,
  createMiddleware,
  HumanMessage,
  MiddlewareError,
  ToolInvocationError,
  ToolMessage,
} from "langchain";
import { z } from "zod";
import type { LoopGuard } from "../guard/loop-guard.ts";
import { type ItemForm, placeNotices, withNotices } from "../guard/placed-notice.ts";
import { type GraphGuardOptions, type GraphGuardState, readGraphGuardState } from "../langgraph/graph-guard-state.ts";
import { LiveGuards, newRun } from "../langgraph/live-guards.ts";
import {
  announceCalls,
  isFromPerson,
  isReply,
  isResult,
  messagesAfter,
  reportReply,
  reportResult,
} from "../langgraph/read-messages.ts";

type StateSchema = z.ZodObject<{ sheepdog: z.ZodOptional<z.ZodCustom<GraphGuardState, GraphGuardState>> }>;

const stateSchema: StateSchema = z.object({ sheepdog: z.custom<GraphGuardState>().optional() });

/**
 * Creates the middleware; put it first. One middleware serves any number of agents, threads and runs: everything it
 * has to remember is in the state of the agent, as `sheepdog`, which a checkpointer saves.
 */
export function createLangChainGuard(options: GraphGuardOptions = {}): AgentMiddleware<StateSchema> {
  const guards = new LiveGuards(options);
  return createMiddleware({
    name: "SheepdogGuard",
    stateSchema,
    beforeAgent: ({ sheepdog }) => ({ sheepdog: newRun(readGraphGuardState(sheepdog)) }),
    // One node of the graph for all: a step of its own for notices would use up the recursion limit earlier.
    async wrapModelCall(request, handler) {
      const state = readGraphGuardState(request.state.sheepdog) ?? newRun(undefined);
      const { guard, isRestored } = guards.open(state);
      readMessages(guard, request.messages, { ...state, isRestored });
      const lastMessageId = request.messages.at(-1)?.id;
      const placed = placeNotices(guard, state.placed, lastMessageId);
      const next = { run: state.run, lastMessageId, placed, openCalls: [], refusals: {} };
      if (guard.stop !== undefined) {
        const messages = [new AIMessage(guard.stop.message)];
        return new Command({ update: { messages, sheepdog: guards.close(guard, next) } });
      }
      const reply = await handler({ ...request, messages: withNotices(request.messages, placed, messageForm) });
      if (!AIMessage.isInstance(reply)) return reply; // a structured answer, which ends the run
      return new Command({ update: { sheepdog: guards.close(guard, { ...next, ...reportReply(guard, reply) }) } });
    },
    async wrapToolCall(request, handler) {
      const { id = "" } = request.toolCall;
      const refusal = request.state.sheepdog?.refusals[id];
      if (refusal !== undefined) return failedResult(request.toolCall, refusal);
      try {
        return await handler(request);
      } catch (error) {
        if (isForFramework(error) || request.runtime.signal?.aborted === true) throw error;
        return failedResult(request.toolCall, `${error}\n Please fix your mistakes.`);
      }
    },
  });
}

function failedResult({ id = "", name }: ToolCall, content: string): ToolMessage {
  return new ToolMessage({ content, name, tool_call_id: id, status: "error" });
}

/**
 * What is not the failure of a tool, or is answered by LangChain itself. LangChain answers the failure of a tool too,
 * but ends the run with it as soon as any middleware has `wrapToolCall`. With the guard it is answered as without.
 */
function isForFramework(error: unknown): boolean {
  return isGraphBubbleUp(error) || MiddlewareError.isInstance(error) || ToolInvocationError.isInstance(error);
}

interface Position extends GraphGuardState {
  readonly isRestored: boolean;
}

/** Reports the messages since the last request: results, and what a person has written. */
function readMessages(guard: LoopGuard, messages: readonly BaseMessage[], position: Position): void {
  const { lastMessageId, openCalls, isRestored } = position;
  for (const message of messagesAfter(messages, lastMessageId) ?? []) {
    if (isReply(message) && isRestored) announceAgain(guard, message, openCalls);
    if (isResult(message)) reportResult(guard, message, openCalls);
    if (isFromPerson(message)) guard.userMessage();
  }
}

/** A guard that was made from a saved state has no open calls. Those of the reply before it was saved are announced. */
function announceAgain(guard: LoopGuard, { tool_calls: calls = [] }: AIMessage, openCalls: readonly string[]): void {
  announceCalls(
    guard,
    calls.filter(({ id }) => id !== undefined && openCalls.includes(id)),
  );
}

const messageForm: ItemForm<BaseMessage> = {
  idsOf: ({ id }) => [id],
  noticeItem: (text) => new HumanMessage(text),
};
