import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { isCommand } from "@langchain/langgraph";
import type { LoopGuard } from "../guard/loop-guard.ts";
import { type GraphGuardOptions, type GraphGuardState, readGraphGuardState } from "./graph-guard-state.ts";
import { LiveGuards, newRun } from "./live-guards.ts";
import {
  type AnnouncedCalls,
  hasNoCalls,
  isFromPerson,
  isReply,
  isResult,
  messagesAfter,
  reportReply,
  reportResult,
} from "./read-messages.ts";

/** The part of a graph's state that the guard reads and writes. Declare `sheepdog` without a reducer. */
export interface GuardedState {
  readonly messages: readonly BaseMessage[];
  readonly sheepdog?: GraphGuardState | undefined;
}

export interface GuardedUpdate {
  readonly messages: BaseMessage[];
  readonly sheepdog: GraphGuardState;
}

/** A `ToolNode`, or anything else that executes the calls of the newest reply which have no result yet. */
export interface ToolExecutor<Config> {
  invoke(state: never, config?: Config): Promise<unknown>;
}

/**
 * The same node with a guard: refused calls get a message in place of their result, notices follow the results, and a
 * run that the guardian ends gets a last message. Use one function for any number of runs and threads: everything it
 * has to remember is in the state of the graph.
 */
export function guardToolNode<Config>(
  node: ToolExecutor<Config>,
  options: GraphGuardOptions = {},
): (state: GuardedState, config: Config) => Promise<GuardedUpdate> {
  const guards = new LiveGuards(options);
  return async (state, config) => {
    const { guard, run, calls, reply } = readTurn(guards, state);
    const refused = refusedResults(reply, calls.refusals);
    const isAllRefused = calls.openCalls.length === 0 && refused.length > 0;
    // A tool node executes the calls that have no result yet.
    const input = { ...state, messages: [...state.messages, ...refused] } as never; // the state that the node takes
    const output = isAllRefused ? { messages: [] } : await node.invoke(input, config);
    for (const result of messagesIn(output).filter(isResult)) reportResult(guard, result, calls.openCalls);
    const update = {
      messages: [...refused, ...lastWords(guard)],
      sheepdog: guards.close(guard, { run, openCalls: [], refusals: {}, placed: [], lastMessageId: reply?.id }),
    };
    return merge(output, update);
  };
}

/** For a conditional edge after the node: the next node, or the end of the graph if the guardian has ended the run. */
export function unlessStopped<Next extends string>(next: Next): (state: GuardedState) => Next | "__end__" {
  return ({ sheepdog }) => (sheepdog?.stop === undefined ? next : "__end__");
}

interface Turn {
  readonly guard: LoopGuard;
  readonly run: string;
  readonly reply: AIMessage | undefined;
  readonly calls: AnnouncedCalls;
}

/** Reports the messages that are new. What a person writes after the end of a run starts another one. */
function readTurn(guards: LiveGuards, { messages, sheepdog }: GuardedState): Turn {
  const reply = messages.findLast(isReply);
  let state = readGraphGuardState(sheepdog) ?? newRun(undefined);
  let isEnded = state.stop !== undefined;
  let { guard } = guards.open(state);
  for (const message of messagesAfter(messages, state.lastMessageId) ?? []) {
    if (message === reply) break;
    if (isReply(message) && hasNoCalls(message)) {
      reportReply(guard, message);
      isEnded = true;
    }
    if (!isFromPerson(message)) continue;
    if (isEnded) {
      state = newRun(guards.close(guard, state));
      guard = guards.open(state).guard;
      isEnded = false;
    }
    guard.userMessage();
  }
  const calls = reply === undefined ? { openCalls: [], refusals: {} } : reportReply(guard, reply);
  return { guard, run: state.run, reply, calls };
}

function refusedResults(reply: AIMessage | undefined, refusals: AnnouncedCalls["refusals"]): ToolMessage[] {
  return (reply?.tool_calls ?? []).flatMap(({ id, name }) => {
    const content = id === undefined ? undefined : refusals[id];
    return id === undefined || content === undefined
      ? []
      : [new ToolMessage({ content, name, tool_call_id: id, status: "error" })];
  });
}

/** Ends the turn: the notices for the model, or the message that ends the run. */
function lastWords(guard: LoopGuard): BaseMessage[] {
  const notices = guard.beforeRequest();
  if (guard.stop !== undefined) return [new AIMessage(guard.stop.message)];
  guard.confirm(notices);
  return notices.length === 0 ? [] : [new HumanMessage(notices.map(({ text }) => text).join("\n"))];
}

/** The messages of what a tool node returns: an update, a list of messages, or a list of updates and commands. */
function messagesIn(output: unknown): BaseMessage[] {
  if (Array.isArray(output)) return output.flatMap(messagesIn);
  if (typeof output !== "object" || output === null) return [];
  if ("tool_call_id" in output) return [output as ToolMessage]; // no other message has it
  if ("messages" in output) return messagesIn(output.messages);
  return "update" in output ? messagesIn(output.update) : [];
}

/**
 * What the node returns, with the update. LangGraph also takes a list of updates and commands: a tool node returns one
 * if a tool returns a command.
 */
function merge(output: unknown, update: GuardedUpdate): GuardedUpdate {
  if (isCommand(output)) return merge([output], update);
  if (Array.isArray(output)) return [...output.map(asUpdate), update] as unknown as GuardedUpdate;
  const own = asUpdate(output);
  return { ...(typeof own === "object" ? own : {}), ...update, messages: [...messagesIn(output), ...update.messages] };
}

function asUpdate(output: unknown): unknown {
  return typeof output === "object" && output !== null && "tool_call_id" in output ? { messages: [output] } : output;
}
