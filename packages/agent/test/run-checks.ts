import type { AgentEvent, CostRow, Message, Reason, Run, RunResult, RunState, Runtime } from "@sheepdog/agent";
import { redactSecrets } from "@sheepdog/guardian";
import { expect } from "vitest";
import { escapeNotices } from "../src/guard/notice.ts";
import { callsOf, textOf } from "../src/protocol/messages.ts";
import { runningProcesses } from "../src/tools/processes/process-table.ts";

/** What is known of a run that has ended, from the outside. */
export interface CheckedRun {
  readonly run: Run;
  readonly runtime: Runtime;
  /** Everything the bus told, of all runs. */
  readonly events: readonly AgentEvent[];
  /** Everything that was booked, of all runs. */
  readonly ledger: readonly CostRow[];
  /** How many requests the model got from this run. */
  readonly requests?: number;
  /** Secrets that may be in no event. */
  readonly canaries?: readonly string[];
  /** A text in the environment of every process the run's tools start. */
  readonly processMark?: string;
}

/** The oracle of FAULTS.md B3, as far as it goes without a database: holds after every run, whatever happened in it. Gives the run's result. */
export async function checkRun(checked: CheckedRun): Promise<RunResult> {
  const { run, runtime, canaries = [], processMark } = checked;
  const result = await run.result;
  const events = checked.events.filter(({ sessionId }) => sessionId === run.sessionId);
  const ofRun = events.filter(({ runId }) => runId === run.runId);
  const { messages, checkpoint } = await runtime.stores.sessions.load(run.sessionId);
  const totals = await runtime.stores.costs.totals(run.sessionId, events.at(-1)?.at ?? 0);
  const broken = [
    ...pairingProblems(messages),
    ...nothingLost(ofRun, messages, checkpoint?.turn),
    ...books({ events: ofRun, result, ledger: checked.ledger, session: totals.session }),
    ...oneEnd(ofRun, checked.requests),
    ...counted(events),
    ...(await noChildren(processMark)),
    ...noSecrets(checked.events, canaries),
    ...ending(result, ofRun.at(-1)),
  ];
  expect(broken, `the run ended as ${result.reason}: ${result.problem ?? result.text}`).toEqual([]);
  return result;
}

/** I2: every call has exactly one result, after it and before anything else is said. */
export function pairingProblems(messages: readonly Message[]): readonly string[] {
  const broken: string[] = [];
  const seen = new Set<string>();
  let open = new Map<string, string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (open.get(message.callId) !== message.tool)
        broken.push(`I2: a result of ${message.tool} (${message.callId}) belongs to no open call`);
      open.delete(message.callId);
      continue;
    }
    if (open.size > 0) broken.push(`I2: ${[...open.keys()].join(", ")} had no result before the next message`);
    open = new Map();
    if (message.role !== "assistant") continue;
    for (const { id, tool } of callsOf(message)) {
      if (seen.has(id)) broken.push(`I2: two calls have the id ${id}`);
      seen.add(id);
      open.set(id, tool);
    }
  }
  return open.size === 0 ? broken : [...broken, `I2: ${[...open.keys()].join(", ")} never had a result`];
}

/** I3: what was told of the run as done is what the store has, and in that order. */
function nothingLost(
  events: readonly AgentEvent[],
  messages: readonly Message[],
  savedTurn: number | undefined,
): readonly string[] {
  const begin = events[0]?.at ?? 0;
  const kept = messages.filter(({ at }) => at >= begin);
  const broken: string[] = [];
  const same = (what: string, told: readonly string[], stored: readonly string[]) => {
    if (JSON.stringify(told) !== JSON.stringify(stored))
      broken.push(`I3: ${what} told ${JSON.stringify(told)}, stored ${JSON.stringify(stored)}`);
  };
  const replies = kept.flatMap((message) => (message.role === "assistant" ? [message] : []));
  const whole = replies.filter(({ stop }) => stop !== "incomplete" && stop !== "interrupted");
  same("replies", wholeTexts(events), whole.map(textOf).map(shown));
  const ends = events.flatMap((event) =>
    event.type === "ToolEnd" ? [`${event.callId} ${event.status} ${escapeNotices(event.content)}`] : [],
  );
  const blocks = events.flatMap((event) =>
    event.type === "ToolBlocked" ? [`${event.callId} denied ${event.message}`] : [],
  );
  const results = kept.flatMap((message) => (message.role === "tool" ? [message] : []));
  const line = ({ callId, status, content }: (typeof results)[number]) =>
    `${callId} ${status} ${redactSecrets(content)}`;
  const told = new Set([...ends, ...blocks]);
  for (const each of told)
    if (!results.map(line).includes(each)) broken.push(`I3: told, and not stored: ${each.slice(0, 200)}`);
  if (told.size !== ends.length + blocks.length) broken.push("I3: a result was told twice");
  const turns = events.flatMap((event) => (event.type === "TurnComplete" ? [event.turn] : []));
  if (turns.some((turn, place) => turn !== place)) broken.push(`I3: the turns told are ${turns.join(", ")}`);
  const checkpoints = events.flatMap((event) => (event.type === "Checkpointed" ? [event.turn] : []));
  if (checkpoints.length > 0 && savedTurn !== (checkpoints.at(-1) ?? 0) + 1)
    broken.push(`I3: turn ${checkpoints.at(-1)} was told as kept, and ${savedTurn} are`);
  if (turns.length > checkpoints.length) broken.push("I3: a turn was told as complete before it was kept");
  return broken;
}

/** The texts of the streams that were told as complete. */
function wholeTexts(events: readonly AgentEvent[]): readonly string[] {
  const texts: string[] = [];
  let text = "";
  for (const event of events) {
    if (event.type === "TextDelta") text += event.text;
    if (event.type !== "StreamEnd") continue;
    if (event.isComplete) texts.push(shown(text));
    text = "";
  }
  return texts;
}

function shown(text: string): string {
  return redactSecrets(text.toWellFormed());
}

/** I4: the total is the sum of the ledger's rows, and never decreases. */
function books({
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
  const broken: string[] = [];
  const rows = ledger.filter(({ runId }) => runId === result.runId);
  const sum = (costs: readonly CostRow[]) =>
    costs.some(({ costNanoUsd }) => costNanoUsd === null)
      ? null
      : costs.reduce((total, row) => total + (row.costNanoUsd ?? 0), 0);
  if (result.turns > 0 && sum(rows) !== result.costNanoUsd)
    broken.push(`I4: the run says ${result.costNanoUsd}, its rows are ${sum(rows)}`);
  const ofSession = ledger.filter(({ sessionId }) => sessionId === result.sessionId);
  const priced = ofSession.reduce((total, row) => total + (row.costNanoUsd ?? 0), 0);
  if (priced !== session) broken.push(`I4: the session's total is ${session}, its rows are ${priced}`);
  for (const key of ["input", "output"] as const) {
    const total = rows.reduce((before, row) => before + row.usage[key], 0);
    if (total !== result.usage[key])
      broken.push(`I4: the run used ${result.usage[key]} ${key} tokens, its rows ${total}`);
    if (rows.some(({ usage }) => !Number.isSafeInteger(usage[key]) || usage[key] < 0))
      broken.push(`I4: a row's ${key} is no number of tokens`);
  }
  const totals = events.flatMap((event) =>
    event.type === "CostEvent" ? [event.totalNanoUsd ?? Number.POSITIVE_INFINITY] : [],
  );
  if (totals.length !== rows.length) broken.push(`I4: ${totals.length} costs were told, ${rows.length} booked`);
  if (totals.some((total, place) => total < (totals[place - 1] ?? 0)))
    broken.push(`I4: the total decreased: ${totals.join(", ")}`);
  return broken;
}

/** I5: one terminal event, the last; one StreamEnd for each request; calls that start also end. */
function oneEnd(events: readonly AgentEvent[], requests: number | undefined): readonly string[] {
  const broken: string[] = [];
  const terminal = events.filter(({ type }) => type === "RunComplete" || type === "RunError");
  if (terminal.length !== 1 || events.at(-1) !== terminal[0])
    broken.push(`I5: ${terminal.length} terminal events, the last event is ${events.at(-1)?.type}`);
  if (events[0]?.type !== "RunStarted") broken.push(`I5: the first event is ${events[0]?.type}`);
  const ends = events.filter(({ type }) => type === "StreamEnd").length;
  if (requests !== undefined && ends !== requests) broken.push(`I5: ${ends} StreamEnd for ${requests} requests`);
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === "ToolStart") open.add(event.callId);
    if (event.type === "ToolEnd") open.delete(event.callId);
  }
  if (open.size > 0) broken.push(`I5: ${[...open].join(", ")} started and never ended`);
  return broken;
}

/** I5: the numbers of a session's events have no gaps. */
function counted(events: readonly AgentEvent[]): readonly string[] {
  const gap = events.find(({ seq }, place) => seq !== place + 1);
  return gap === undefined ? [] : [`I5: the events' numbers have a gap before ${gap.seq} (${gap.type})`];
}

/** I7: no process is left; those that were told to end have a moment for it. */
async function noChildren(processMark: string | undefined): Promise<readonly string[]> {
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

/** I8: no secret is in any event, nor a part of one. */
function noSecrets(events: readonly AgentEvent[], canaries: readonly string[]): readonly string[] {
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

/** What DESIGN.md 4 says of each reason. */
const meanings: Readonly<Record<Reason, readonly [RunState, number]>> = {
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
  internal_error: ["error", 1],
};

/** I9: state, exit code and cause fit the reason, and the last event tells the same. */
function ending(result: RunResult, last: AgentEvent | undefined): readonly string[] {
  const broken: string[] = [];
  const [state, exitCode] = meanings[result.reason];
  if (result.state !== state || result.exitCode !== exitCode)
    broken.push(`I9: ${result.reason} came as ${result.state}, ${result.exitCode}`);
  const isDone = state === "completed";
  if (isDone !== (last?.type === "RunComplete")) broken.push(`I9: ${result.reason} was told with ${last?.type}`);
  if (isDone !== (result.problem === undefined)) broken.push(`I9: ${result.reason} with the problem ${result.problem}`);
  if (!isDone && !/^[^\n\r]{3,600}$/.test(result.problem ?? ""))
    broken.push(`I9: the cause is not one line: ${JSON.stringify(result.problem)}`);
  if (result.text.trim() === "") broken.push("I9: the run ended without a word");
  const told = last?.type === "RunComplete" || last?.type === "RunError" ? last.result : undefined;
  for (const key of ["reason", "exitCode", "turns", "costNanoUsd", "state"] as const)
    if (told?.[key] !== result[key]) broken.push(`I9: ${key} was told as ${told?.[key]}, and is ${result[key]}`);
  return broken;
}
