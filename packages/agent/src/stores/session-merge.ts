import { callsOf, type Message } from "../protocol/messages.ts";
import { pairCalls } from "../protocol/paired-messages.ts";
import { isBrokenOff } from "../protocol/result.ts";
import { sumUsage } from "../protocol/usage.ts";
import { type LoggedRun, rebuildNote } from "./logged-run.ts";
import type { CostRow, LedgerEntry, SavedRun, SavedSession, UnansweredCall } from "./stores.ts";

/** What a damaged database still had of a session. */
export interface SalvagedSession extends Omit<SavedSession, "lastSeq"> {
  readonly costs: readonly LedgerEntry[];
}

/** What logs add to a session. */
export interface SessionMerge {
  /** All messages of the session, in order; undefined when the logs add none. */
  readonly messages?: readonly Message[];
  /** Runs that are new, or that have their end now. */
  readonly runs: readonly LoggedRun[];
  readonly costs: readonly CostRow[];
}

/** Merges the runs of a session's logs into what is left of the session. */
export function mergeLoggedRuns(
  saved: Pick<SalvagedSession, "messages" | "runs" | "unansweredCalls" | "costs">,
  loggedRuns: readonly LoggedRun[],
  at: number,
): SessionMerge {
  const savedRuns = new Map(saved.runs.map((run) => [run.runId, run]));
  const isWithoutMessages = ({ run }: LoggedRun) =>
    !saved.messages.some((message) => isFromRun(message, run, savedRuns.get(run.runId)));
  const hasNewEnd = (logged: LoggedRun) => isEndMissing(savedRuns.get(logged.run.runId), logged);

  const missing = loggedRuns.filter(isWithoutMessages);
  const unfinished = loggedRuns.filter((logged) => !missing.includes(logged) && hasNewEnd(logged));
  let messages = saved.messages;
  for (const { run, messages: added } of missing) messages = insertAt(messages, run.startedAt, added);
  for (const { messages: logged } of unfinished) messages = [...messages, ...missingMessages(messages, logged)];
  const restored = [...missing, ...unfinished];
  return {
    ...(restored.length === 0
      ? {}
      : { messages: [...withEveryResult(messages, saved.unansweredCalls), restoreNote(restored.length, at)] }),
    runs: loggedRuns.filter((logged) => !savedRuns.has(logged.run.runId) || hasNewEnd(logged)),
    costs: loggedRuns.flatMap((logged) => missingCosts(saved.costs, logged)),
  };
}

/** Adds an unknown result to every call without one, except to calls that wait for approval. */
export function withEveryResult(
  messages: readonly Message[],
  unansweredCalls: readonly UnansweredCall[],
): readonly Message[] {
  const awaitingApproval = new Set(
    unansweredCalls.filter(({ state }) => state === "awaiting-approval").map(({ callId }) => callId),
  );
  const last = messages.findLastIndex(
    (message) => message.role === "assistant" && callsOf(message).some(({ id }) => awaitingApproval.has(id)),
  );
  if (last < 0 || messages.slice(last + 1).some(({ role }) => role !== "tool")) return pairCalls(messages);
  return [...pairCalls(messages.slice(0, last)), ...messages.slice(last)];
}

/** Whether a message belongs to a run, by its time. */
function isFromRun(
  message: Message,
  { startedAt, endedAt = startedAt }: SavedRun,
  savedRun: SavedRun | undefined,
): boolean {
  const firstAt = Math.min(startedAt, savedRun?.startedAt ?? startedAt); // a run is saved before its log begins
  const isNote = message.role === "user" && message.reason === "rebuilt";
  return !isNote && message.at >= firstAt && message.at <= endedAt;
}

/**
 * Whether a run is saved without its end, but its log has one. An internal error does not count: the run may have
 * failed to save its end, and it can be resumed.
 */
function isEndMissing(savedRun: SavedRun | undefined, { run, isEnded }: LoggedRun): boolean {
  return savedRun !== undefined && savedRun.endedAt === undefined && isEnded && !isBrokenOff(run.reason);
}

function insertAt(messages: readonly Message[], at: number, added: readonly Message[]): readonly Message[] {
  const index = messages.findLastIndex((message) => message.at < at) + 1;
  return [...messages.slice(0, index), ...added, ...messages.slice(index)];
}

/** The logged messages that the saved part of a run lacks: missing results, replies with new calls, and the end. */
function missingMessages(messages: readonly Message[], logged: readonly Message[]): readonly Message[] {
  const savedCalls = new Set(
    messages.flatMap((message) => (message.role === "assistant" ? callsOf(message).map(({ id }) => id) : [])),
  );
  const savedResults = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.callId] : [])));
  const withoutPrompt = logged.slice(1);
  return withoutPrompt.filter((message) => {
    if (message.role === "tool") return !savedResults.has(message.callId);
    return message.role !== "assistant" || !callsOf(message).some(({ id }) => savedCalls.has(id));
  });
}

function restoreNote(runs: number, at: number): Message {
  return rebuildNote(
    `${runs === 1 ? "A run" : `${runs} runs`} of this conversation had to be rebuilt from logs: ` +
      "secrets and parts of long texts, inputs and outputs are missing, and so may be calls and replies. " +
      "Verify before you rely on what is said there.",
    at,
  );
}

/** The costs that a log has and the ledger has not. */
function missingCosts(ledger: readonly LedgerEntry[], { run, costs: logged }: LoggedRun): readonly CostRow[] {
  const recorded = ledger.filter(({ runId }) => runId === run.runId);
  const [first] = logged;
  if (recorded.length === 0 || first === undefined) return logged;
  if (recorded.length >= logged.length && logged.length > 1) return [];
  const costNanoUsd = sumCost(logged) - sumCost(recorded);
  if (costNanoUsd <= 0) return [];
  const loggedUsage = logged.map(({ usage }) => usage).reduce(sumUsage);
  const recordedUsage = recorded.map(({ usage }) => usage).reduce(sumUsage);
  const difference = (name: "input" | "cacheRead" | "cacheWrite" | "output") =>
    Math.max(0, loggedUsage[name] - recordedUsage[name]);
  const usage = {
    input: difference("input"),
    cacheRead: difference("cacheRead"),
    cacheWrite: difference("cacheWrite"),
    output: difference("output"),
    isEstimated: true,
  };
  return [{ ...first, id: freeId(`log_${run.runId}_rest`, recorded), usage, costNanoUsd }];
}

function sumCost(rows: readonly CostRow[]): number {
  return rows.reduce((total, { costNanoUsd }) => total + (costNanoUsd ?? 0), 0);
}

/** An id that no row has: an earlier rebuild may have added a row for the same run. */
function freeId(wanted: string, rows: readonly CostRow[]): string {
  const takenIds = new Set(rows.map(({ id }) => id));
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? wanted : `${wanted}_${count}`;
    if (!takenIds.has(id)) return id;
  }
}
