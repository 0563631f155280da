import type { AgentEvent, AssistantMessage, Message, ResultMessage, SavedRun, SavedSession } from "@sheepdog/agent";
import type { RecordedCall, RecordedRun, RecordedStep, RecordedUsage } from "@sheepdog/records";
import { type SavedTurn, savedTurns } from "./saved-run-turns.ts";
import { turnsOfReplies } from "./turns-of-replies.ts";

/** A run of the store: its session, and all events of that session or only its own. */
export interface SavedRunData {
  readonly run: SavedRun;
  readonly saved: Pick<SavedSession, "messages" | "runs">;
  readonly events: readonly AgentEvent[];
}

/** The source of Sheepdog's own runs, in the store and in their logs. */
export const ownSource = "sheepdog";

/**
 * A saved run as a recording, so that it can be analyzed like the runs of other agents. A call that the guardian
 * refused has the result of the equal call before it: the guardian counts a refused attempt as a repetition. Calls
 * without a result are left out.
 */
export function recordedRunOf({ run, saved, events }: SavedRunData): RecordedRun {
  const turns = savedTurns(events.filter(({ runId }) => runId === run.runId));
  const messages = messagesOf(run, saved);
  const outcome = run.reason ?? (run.endedAt === undefined ? undefined : run.state);
  return {
    id: run.runId,
    source: ownSource,
    ...(run.model === undefined ? {} : { model: run.model }),
    task: run.prompt,
    ...(outcome === undefined ? {} : { outcome }),
    steps: stepsOf(messages, turns),
  };
}

/** The messages from the run's prompt to the next run's. */
function messagesOf(run: SavedRun, { messages, runs }: SavedRunData["saved"]): readonly Message[] {
  let from = 0;
  for (const [index, each] of runs.entries()) {
    from = firstMessage(messages, each, from);
    if (each.runId !== run.runId) continue;
    const next = runs[index + 1];
    return messages.slice(from, next === undefined ? undefined : firstMessage(messages, next, from + 1));
  }
  return [];
}

function firstMessage(messages: readonly Message[], { prompt, startedAt }: SavedRun, from: number): number {
  const isPrompt = (message: Message) =>
    message.role === "user" && message.text === prompt && message.at >= startedAt && message.origin !== "guardian";
  const at = messages.findIndex((message, index) => index >= from && isPrompt(message));
  if (at >= 0) return at;
  const later = messages.findIndex((message, index) => index >= from && message.at >= startedAt);
  return later < 0 ? messages.length : later;
}

function stepsOf(messages: readonly Message[], turns: readonly SavedTurn[]): readonly RecordedStep[] {
  const replies = messages.filter((message) => message.role === "assistant");
  const results = new Map(
    messages.flatMap((message): [string, ResultMessage][] =>
      message.role === "tool" ? [[message.callId, message]] : [],
    ),
  );
  const turnOf = turnsOfReplies(replies, turns);
  const usageOf = usageOfReplies(replies, turns, turnOf);
  const prompts = personPrompts(messages);
  const callOf = callReader(results);
  return replies.map((reply, index) => {
    const turn = turnOf.get(reply);
    const usage = usageOf(reply);
    const prompt = prompts.get(reply);
    const calls = reply.parts.flatMap((part) => (part.type === "call" ? callOf(part, turn) : []));
    return {
      turn: turn?.turn ?? index,
      text: reply.parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
      ...(prompt === undefined ? {} : { user: true as const, prompt }),
      at: turn?.at ?? reply.at,
      ...(usage === undefined ? {} : { usage }),
      ...(turn === undefined || turn.opinions.length === 0 ? {} : { opinions: turn.opinions }),
      calls,
    };
  });
}

/** The replies before which a person wrote, with what was written. */
function personPrompts(messages: readonly Message[]): ReadonlyMap<AssistantMessage, string> {
  const prompts = new Map<AssistantMessage, string>();
  let texts: string[] = [];
  for (const message of messages) {
    if (message.role === "user" && message.origin === "person") texts.push(message.text);
    if (message.role !== "assistant") continue;
    if (texts.length > 0) prompts.set(message, texts.join("\n\n"));
    texts = [];
  }
  return prompts;
}

type CallPart = Extract<AssistantMessage["parts"][number], { type: "call" }>;

/** Reads calls in their order, and remembers results for refused calls. */
function callReader(
  results: ReadonlyMap<string, ResultMessage>,
): (part: CallPart, turn: SavedTurn | undefined) => readonly RecordedCall[] {
  const lastResults = new Map<string, Pick<RecordedCall, "result" | "isError">>();
  return ({ id, tool, input }, turn) => {
    const answer = results.get(id);
    if (answer === undefined) return [];
    const key = `${tool} ${JSON.stringify(input)}`;
    const isRefused = turn?.refusedCalls.has(id) === true;
    const ownResult = { result: answer.content, isError: answer.status !== "ok" };
    const outcome = isRefused ? (lastResults.get(key) ?? lastResults.get(tool) ?? ownResult) : ownResult;
    if (!isRefused) lastResults.set(key, outcome).set(tool, outcome);
    const at = turn?.callTimes.get(id);
    return [{ name: tool, args: input ?? {}, ...outcome, ...(at === undefined ? {} : { at }) }];
  };
}

/** The usage of each reply. The costs of a turn without a reply belong to the next reply, or to the last one. */
function usageOfReplies(
  replies: readonly AssistantMessage[],
  turns: readonly SavedTurn[],
  turnOf: ReadonlyMap<AssistantMessage, SavedTurn>,
): (reply: AssistantMessage) => RecordedUsage | undefined {
  const replyOf = new Map([...turnOf].map(([reply, turn]) => [turn, reply]));
  const sums = new Map<AssistantMessage, SavedTurn[]>();
  let waiting: SavedTurn[] = [];
  let last = replies.findLast((reply) => turnOf.has(reply));
  for (const turn of turns) {
    waiting.push(turn);
    const reply = replyOf.get(turn);
    if (reply === undefined) continue;
    sums.set(reply, waiting);
    last = reply;
    waiting = [];
  }
  if (last !== undefined) sums.set(last, [...(sums.get(last) ?? []), ...waiting]);
  return (reply) => {
    const own = sums.get(reply);
    if (own === undefined) return { inputTokens: reply.usage.input, outputTokens: reply.usage.output };
    const costs = own.flatMap(({ costNanoUsd }) => (costNanoUsd === undefined ? [] : [costNanoUsd]));
    return {
      inputTokens: own.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
      outputTokens: own.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
      ...(costs.length === 0 ? {} : { costUsd: costs.reduce((sum, cost) => sum + cost, 0) / 1e9 }),
    };
  };
}
