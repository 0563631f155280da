import { settleCalls } from "../context/settle-calls.ts";
import { callsOf, type Message } from "../protocol/messages.ts";
import { sumUsage } from "../protocol/usage.ts";
import { type LoggedRun, rebuildNote } from "./logged-run.ts";
import type { CostRow, LedgerEntry, SavedRun, SavedSession, UnansweredCall } from "./stores.ts";

/** What is known of a session from elsewhere than its logs. */
export interface SalvagedSession extends Pick<SavedSession, "messages" | "runs" | "unansweredCalls"> {
  readonly costs: readonly LedgerEntry[];
}

/** What the logs add to a session. */
export interface SessionMerge {
  /** All messages, in order, where the logs had some to add. */
  readonly messages?: readonly Message[];
  readonly runs: readonly LoggedRun[];
  readonly costs: readonly CostRow[];
}

/** Puts what the logs know of a session, and it does not, in its place. */
export function mergeLoggedRuns(saved: SalvagedSession, logged: readonly LoggedRun[], at: number): SessionMerge {
  const known = new Map(saved.runs.map((run) => [run.runId, run]));
  const untold = logged.filter(
    ({ run }) => !saved.messages.some((message) => isWithin(message, run, known.get(run.runId))),
  );
  const ended = logged.filter((one) => !untold.includes(one) && isEndMissing(known.get(one.run.runId), one));
  const messages = [
    ...untold.reduce<readonly Message[]>(
      (all, { run, messages: more }) => insertAt(all, run.startedAt, more),
      saved.messages,
    ),
  ];
  for (const { messages: more } of ended) messages.push(...restOf(messages, more));
  const rebuilt = [...untold, ...ended];
  return {
    ...(rebuilt.length === 0
      ? {}
      : { messages: [...withEveryResult(messages, saved.unansweredCalls), noteOn(rebuilt, at)] }),
    runs: logged.filter((one) => !known.has(one.run.runId) || isEndMissing(known.get(one.run.runId), one)),
    costs: logged.flatMap((one) => missingCosts(saved.costs, one)),
  };
}

/** Whether a run is kept without its end, which its log tells. One that broke tells its end also where that could not be kept: it can be resumed. */
function isEndMissing(known: SavedRun | undefined, { run, isEnded }: LoggedRun): boolean {
  return known !== undefined && known.endedAt === undefined && isEnded && run.reason !== "internal_error";
}

/** What comes behind what is there of a run: results of calls that have none, replies with other calls, and the end. */
function restOf(messages: readonly Message[], logged: readonly Message[]): readonly Message[] {
  const made = new Set(
    messages.flatMap((message) => (message.role === "assistant" ? callsOf(message).map(({ id }) => id) : [])),
  );
  const done = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.callId] : [])));
  return logged.slice(1).filter((message) => {
    if (message.role === "tool") return !done.has(message.callId);
    return message.role !== "assistant" || !callsOf(message).some(({ id }) => made.has(id));
  });
}

/** Every call with its result; calls that a person was asked about wait for the answer. */
export function withEveryResult(
  messages: readonly Message[],
  unansweredCalls: readonly UnansweredCall[],
): readonly Message[] {
  const asked = new Set(
    unansweredCalls.flatMap(({ callId, state }) => (state === "awaiting-approval" ? [callId] : [])),
  );
  const last = messages.findLastIndex(
    (message) => message.role === "assistant" && callsOf(message).some(({ id }) => asked.has(id)),
  );
  if (last < 0 || messages.slice(last + 1).some(({ role }) => role !== "tool")) return settleCalls(messages);
  return [...settleCalls(messages.slice(0, last)), ...messages.slice(last)];
}

function isWithin(
  message: Message,
  { startedAt, endedAt = startedAt }: SavedRun,
  known: SavedRun | undefined,
): boolean {
  const begun = Math.min(startedAt, known?.startedAt ?? startedAt); // a run is kept before its log begins
  return !(message.role === "user" && message.reason === "rebuilt") && message.at >= begun && message.at <= endedAt;
}

function insertAt(messages: readonly Message[], at: number, more: readonly Message[]): readonly Message[] {
  const after = messages.findLastIndex((message) => message.at < at) + 1;
  return [...messages.slice(0, after), ...more, ...messages.slice(after)];
}

function noteOn(untold: readonly LoggedRun[], at: number): Message {
  const runs = untold.length === 1 ? "A run" : `${untold.length} runs`;
  return rebuildNote(
    `${runs} of this conversation had to be rebuilt from logs: replies beside calls, secrets and parts of long inputs and outputs are missing, and so may be calls. Verify before you rely on what is said there.`,
    at,
  );
}

/** What the log says a run did cost, and the books do not have. */
function missingCosts(booked: readonly LedgerEntry[], { run, costs }: LoggedRun): readonly CostRow[] {
  const rows = booked.filter(({ runId }) => runId === run.runId);
  const [first] = costs;
  if (rows.length === 0 || first === undefined) return costs;
  if (rows.length >= costs.length && costs.length > 1) return [];
  const sum = (all: readonly CostRow[]) => all.reduce((total, { costNanoUsd }) => total + (costNanoUsd ?? 0), 0);
  const costNanoUsd = sum(costs) - sum(rows);
  if (costNanoUsd <= 0) return [];
  const [said, had] = [costs, rows].map((all) => all.map(({ usage }) => usage).reduce(sumUsage));
  const less = (name: "input" | "cacheRead" | "cacheWrite" | "output") =>
    Math.max(0, (said?.[name] ?? 0) - (had?.[name] ?? 0));
  const usage = {
    input: less("input"),
    cacheRead: less("cacheRead"),
    cacheWrite: less("cacheWrite"),
    output: less("output"),
    isEstimated: true,
  };
  return [{ ...first, id: freeId(`log_${run.runId}_rest`, rows), usage, costNanoUsd }];
}

/** A row that is there stays: what was lost once may have been booked before something else was. */
function freeId(wanted: string, rows: readonly CostRow[]): string {
  const taken = new Set(rows.map(({ id }) => id));
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? wanted : `${wanted}_${count}`;
    if (!taken.has(id)) return id;
  }
}
