import type { AgentEvent, CostRow, Message, Reason, Run, RunResult, RunState, Runtime } from "@sheepdog/agent";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import { expect } from "vitest";
import { escapeNotices } from "../src/guard/notice.ts";
import { callsOf, textOf } from "../src/protocol/messages.ts";
import { runningProcesses } from "../src/tools/processes/process-table.ts";

/** A run that has ended, with everything observed from outside. */
export interface CheckedRun {
  readonly run: Run;
  readonly runtime: Runtime;
  /** All events of the bus, of all runs. */
  readonly events: readonly AgentEvent[];
  /** All cost rows that were written, of all runs. */
  readonly ledger: readonly CostRow[];
  /** The number of requests that this run sent to the model. */
  readonly requests?: number;
  /** Secrets that no event may contain. */
  readonly canaries?: readonly string[];
  /** A variable in the environment of every process that the run's tools start. */
  readonly processMark?: string;
}

/**
 * Checks the guarantees I2 to I9 that hold after every run, whatever happened in it, as far as they need no database.
 * Returns the result of the run.
 */
export async function checkRun(checked: CheckedRun): Promise<RunResult> {
  const { run, runtime, canaries = [], processMark } = checked;
  const result = await run.result;
  const events = checked.events.filter(({ sessionId }) => sessionId === run.sessionId);
  const runEvents = events.filter(({ runId }) => runId === run.runId);
  const { messages, checkpoint } = await runtime.stores.sessions.load(run.sessionId);
  const totals = await runtime.stores.costs.totals(run.sessionId, events.at(-1)?.at ?? 0);
  const problems = [
    ...pairingProblems(messages),
    ...lossProblems(runEvents, messages, checkpoint?.turn),
    ...ledgerProblems({ events: runEvents, result, ledger: checked.ledger, session: totals.session }),
    ...endProblems(runEvents, checked.requests),
    ...(result.reason === "internal_error" ? [] : numberingProblems(events)), // a failed commit leaves a gap
    ...(await leftProcesses(processMark)),
    ...leakProblems(checked.events, canaries),
    ...resultProblems(result, runEvents.at(-1)),
  ];
  expect(problems, `the run ended as ${result.reason}: ${result.problem ?? result.text}`).toEqual([]);
  return result;
}

/** I2: every call has exactly one result, which follows it before any other message. */
export function pairingProblems(messages: readonly Message[]): readonly string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  let unanswered = new Map<string, string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (unanswered.get(message.callId) !== message.tool)
        problems.push(`I2: a result of ${message.tool} (${message.callId}) belongs to no unanswered call`);
      unanswered.delete(message.callId);
      continue;
    }
    if (unanswered.size > 0)
      problems.push(`I2: ${[...unanswered.keys()].join(", ")} had no result before the next message`);
    unanswered = new Map();
    if (message.role !== "assistant") continue;
    for (const { id, tool } of callsOf(message)) {
      if (seen.has(id)) problems.push(`I2: two calls have the id ${id}`);
      seen.add(id);
      unanswered.set(id, tool);
    }
  }
  return unanswered.size === 0
    ? problems
    : [...problems, `I2: ${[...unanswered.keys()].join(", ")} never had a result`];
}

/** I3: every published reply, result and turn is in the store, in the same order. */
function lossProblems(
  events: readonly AgentEvent[],
  messages: readonly Message[],
  savedTurn: number | undefined,
): readonly string[] {
  const startedAt = events[0]?.at ?? 0;
  const runMessages = messages.filter(({ at }) => at >= startedAt);
  const problems: string[] = [];
  const replies = runMessages.flatMap((message) => (message.role === "assistant" ? [message] : []));
  const completeReplies = replies.filter(({ stop }) => stop !== "incomplete" && stop !== "interrupted");
  const publishedReplies = JSON.stringify(completeTexts(events));
  const storedReplies = JSON.stringify(completeReplies.map(textOf).map(publishedText));
  if (publishedReplies !== storedReplies)
    problems.push(`I3: replies published ${publishedReplies}, stored ${storedReplies}`);
  const ends = events.flatMap((event) =>
    event.type === "ToolEnd" ? [`${event.callId} ${event.status} ${escapeNotices(event.content)}`] : [],
  );
  const blocks = events.flatMap((event) =>
    event.type === "ToolBlocked" ? [`${event.callId} denied ${event.message}`] : [],
  );
  const results = runMessages.flatMap((message) => (message.role === "tool" ? [message] : []));
  const line = ({ callId, status, content }: (typeof results)[number]) =>
    `${callId} ${status} ${redactSecrets(content)}`;
  const publishedResults = new Set([...ends, ...blocks]);
  for (const published of publishedResults)
    if (!results.map(line).includes(published))
      problems.push(`I3: published, and not stored: ${published.slice(0, 200)}`);
  if (publishedResults.size !== ends.length + blocks.length) problems.push("I3: a result was published twice");
  const turns = events.flatMap((event) => (event.type === "TurnComplete" ? [event.turn] : []));
  if (turns.some((turn, index) => turn !== index)) problems.push(`I3: the published turns are ${turns.join(", ")}`);
  const checkpoints = events.flatMap((event) => (event.type === "Checkpointed" ? [event.turn] : []));
  if (checkpoints.length > 0 && savedTurn !== (checkpoints.at(-1) ?? 0) + 1)
    problems.push(`I3: turn ${checkpoints.at(-1)} was published as saved, the checkpoint is at turn ${savedTurn}`);
  if (turns.length > checkpoints.length) problems.push("I3: a turn was published as complete before it was saved");
  return problems;
}

/** The texts of the streams that ended as complete. */
function completeTexts(events: readonly AgentEvent[]): readonly string[] {
  const texts: string[] = [];
  let text = "";
  for (const event of events) {
    if (event.type === "TextDelta") text += event.text;
    if (event.type !== "StreamEnd") continue;
    if (event.isComplete) texts.push(publishedText(text));
    text = "";
  }
  return texts;
}

function publishedText(text: string): string {
  return redactSecrets(text.toWellFormed());
}

/** I4: the total is the sum of the ledger's rows, and never decreases. */
function ledgerProblems({
  events,
  result,
  ledger,
  session,
}: {
  events: readonly AgentEvent[];
  result: RunResult;
  ledger: readonly CostRow[];
  session: number;
}): readonly string[] {
  const problems: string[] = [];
  const rows = ledger.filter(({ runId }) => runId === result.runId);
  const sum = (costs: readonly CostRow[]) =>
    costs.some(({ costNanoUsd }) => costNanoUsd === null)
      ? null
      : costs.reduce((total, row) => total + (row.costNanoUsd ?? 0), 0);
  if (result.turns > 0 && sum(rows) !== result.costNanoUsd)
    problems.push(`I4: the run reports ${result.costNanoUsd}, the sum of its rows is ${sum(rows)}`);
  const sessionRows = ledger.filter(({ sessionId }) => sessionId === result.sessionId);
  const priced = sessionRows.reduce((total, row) => total + (row.costNanoUsd ?? 0), 0);
  if (priced !== session) problems.push(`I4: the session's total is ${session}, the sum of its rows is ${priced}`);
  for (const key of ["input", "output"] as const) {
    const total = rows.reduce((sum, row) => sum + row.usage[key], 0);
    if (total !== result.usage[key])
      problems.push(`I4: the run used ${result.usage[key]} ${key} tokens, its rows ${total}`);
    if (rows.some(({ usage }) => !Number.isSafeInteger(usage[key]) || usage[key] < 0))
      problems.push(`I4: a row's ${key} is not a number of tokens`);
  }
  const totals = events.flatMap((event) =>
    event.type === "CostEvent" ? [event.totalNanoUsd ?? Number.POSITIVE_INFINITY] : [],
  );
  if (totals.length !== rows.length)
    problems.push(`I4: ${totals.length} costs were published, ${rows.length} recorded`);
  if (totals.some((total, index) => total < (totals[index - 1] ?? 0)))
    problems.push(`I4: the total decreased: ${totals.join(", ")}`);
  return problems;
}

/** I5: one terminal event, the last; one StreamEnd for each request; calls that start also end, and so do opinions. */
function endProblems(events: readonly AgentEvent[], requests: number | undefined): readonly string[] {
  const problems: string[] = [];
  const terminal = events.filter(({ type }) => type === "RunComplete" || type === "RunError");
  if (terminal.length !== 1 || events.at(-1) !== terminal[0])
    problems.push(`I5: ${terminal.length} terminal events, the last event is ${events.at(-1)?.type}`);
  if (events[0]?.type !== "RunStarted") problems.push(`I5: the first event is ${events[0]?.type}`);
  const ends = events.filter(({ type }) => type === "StreamEnd").length;
  if (requests !== undefined && ends !== requests) problems.push(`I5: ${ends} StreamEnd for ${requests} requests`);
  const unanswered = new Set<string>();
  for (const event of events) {
    if (event.type === "ToolStart") unanswered.add(event.callId);
    if (event.type === "ToolEnd") unanswered.delete(event.callId);
  }
  if (unanswered.size > 0) problems.push(`I5: ${[...unanswered].join(", ")} started and never ended`);
  const wanted = events.flatMap((event) => (event.type === "OpinionAsked" ? [event.request.id] : []));
  const given = events.flatMap((event) => (event.type === "OpinionGiven" ? [event.request] : []));
  if (wanted.toSorted().join() !== given.toSorted().join())
    problems.push(`I5: opinions wanted ${wanted.join(", ")}, given ${given.join(", ")}`);
  return problems;
}

/** I5: the numbers of a session's events have no gaps. */
function numberingProblems(events: readonly AgentEvent[]): readonly string[] {
  const gap = events.find(({ seq }, index) => seq !== index + 1);
  return gap === undefined ? [] : [`I5: the events' numbers have a gap before ${gap.seq} (${gap.type})`];
}

/** I7: no process is left; killed processes get a moment to end. */
async function leftProcesses(processMark: string | undefined): Promise<readonly string[]> {
  const left = () =>
    runningProcesses().filter(
      (each) =>
        each.pid !== process.pid &&
        (each.parent === process.pid || (processMark !== undefined && each.environment.includes(processMark))),
    );
  for (let tries = 0; tries < 100 && left().length > 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 30));
  return left().map(({ pid, name }) => `I7: process ${pid} (${name}) is left`);
}

/** I8: no event contains a secret or half of one. */
function leakProblems(events: readonly AgentEvent[], canaries: readonly string[]): readonly string[] {
  const text = JSON.stringify(events);
  const halves = canaries.flatMap((canary) => [
    canary,
    canary.slice(0, canary.length / 2),
    canary.slice(canary.length / 2),
  ]);
  return halves
    .filter((half) => text.includes(half))
    .map((half) => `I8: ${half} is in ${events.find((event) => JSON.stringify(event).includes(half))?.type}`);
}

/** The state and the exit code of each reason (DESIGN.md 4). */
const expectedOutcomes: Readonly<Record<Reason, readonly [RunState, number]>> = {
  prompt_too_long: ["error", 2],
  answered: ["completed", 0],
  goal_accepted: ["completed", 0],
  goal_escalated: ["error", 3],
  context_budget: ["budget_exceeded", 4],
  token_budget: ["budget_exceeded", 4],
  run_budget: ["budget_exceeded", 4],
  session_budget: ["budget_exceeded", 4],
  day_budget: ["budget_exceeded", 4],
  month_budget: ["budget_exceeded", 4],
  doom_loop: ["error", 5],
  no_progress: ["error", 5],
  tool_failures: ["error", 5],
  side_effects: ["error", 5],
  chant: ["error", 5],
  monologue: ["error", 5],
  stall: ["error", 5],
  spawn_limit: ["error", 5],
  denials: ["error", 5],
  max_turns: ["max_steps", 6],
  timeout: ["timed_out", 6],
  provider_error: ["error", 7],
  refused: ["error", 7],
  cancelled: ["cancelled", 130],
  broken_off: ["error", 1],
  internal_error: ["error", 1],
};

/** I9: state, exit code and problem fit the reason, and the last event carries the same result. */
function resultProblems(result: RunResult, lastEvent: AgentEvent | undefined): readonly string[] {
  const problems: string[] = [];
  const [state, exitCode] = expectedOutcomes[result.reason];
  if (result.state !== state || result.exitCode !== exitCode)
    problems.push(`I9: ${result.reason} has state ${result.state} and exit code ${result.exitCode}`);
  const isDone = state === "completed";
  if (isDone !== (lastEvent?.type === "RunComplete"))
    problems.push(`I9: ${result.reason} was published as ${lastEvent?.type}`);
  if (isDone !== (result.problem === undefined))
    problems.push(`I9: ${result.reason} with the problem ${result.problem}`);
  if (!isDone && !/^[^\n\r]{3,600}$/.test(result.problem ?? ""))
    problems.push(`I9: the problem is not one line: ${JSON.stringify(result.problem)}`);
  if (result.text.trim() === "") problems.push("I9: the result has no text");
  const published = lastEvent?.type === "RunComplete" || lastEvent?.type === "RunError" ? lastEvent.result : undefined;
  for (const key of ["reason", "exitCode", "turns", "costNanoUsd", "state"] as const)
    if (published?.[key] !== result[key])
      problems.push(`I9: ${key} was published as ${published?.[key]}, and is ${result[key]}`);
  return problems;
}
