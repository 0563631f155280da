import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogLevel } from "../src/logs/log-level.ts";
import { createRunLog } from "../src/logs/run-log.ts";
import type { AgentEvent, AgentEventBody } from "../src/protocol/events.ts";
import type { Message, Usage } from "../src/protocol/messages.ts";
import type { RunResult } from "../src/protocol/result.ts";
import { thisProcess } from "../src/stores/holder.ts";
import type { Commit, Lease, SavedRun, Stores } from "../src/stores/stores.ts";

/** The time at which sample runs start. */
export const start: number = Date.UTC(2026, 0, 10, 12);

/** A temporary folder of a test. */
export interface TestFolder {
  readonly dir: string;
  /** Path for a database. */
  readonly path: string;
  readonly logDir: string;
  remove(): void;
  /** The names in the folder, sorted. */
  files(): readonly string[];
}

/** Creates a temporary folder. */
export function makeTestFolder(): TestFolder {
  const dir = mkdtempSync(join(tmpdir(), "stores-"));
  return {
    dir,
    path: join(dir, "sheepdog.db"),
    logDir: join(dir, "logs"),
    remove: () => rmSync(dir, { recursive: true, force: true }),
    files: () => readdirSync(dir).sort(),
  };
}

/** A complete run: its messages and events, and the commits that store it. */
export interface SampleRun {
  readonly run: SavedRun;
  readonly messages: readonly Message[];
  readonly events: readonly AgentEvent[];
  readonly commits: readonly Commit[];
}

const usage: Usage = { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 50, isEstimated: false };
const costOfTurn = 4_000_000;

/** Creates a run with one call per turn, which starts at `at` and takes a second per turn. Events follow `seq`. */
export function sampleRun(
  sessionId: string,
  runId: string,
  {
    turns = 3,
    at = start,
    seq = 0,
    text = "x".repeat(200),
  }: { readonly turns?: number; readonly at?: number; readonly seq?: number; readonly text?: string } = {},
): SampleRun {
  const events: AgentEvent[] = [];
  const commits: Commit[] = [];
  let number = seq;
  const event = (time: number, body: AgentEventBody) => {
    number += 1;
    const created = { ...body, seq: number, at: time, sessionId, runId, severity: "info" } as AgentEvent; // all fields
    events.push(created);
    return created;
  };
  const sum = (count: number): Usage => ({ ...usage, input: usage.input * count, output: usage.output * count });
  const prompt = `Do ${runId}`;
  const spec = { version: 1, isAttended: false, settings: { "agent.max_turns": 9 } } as const;
  const start = { runId, prompt, startedAt: at, spec };
  const running: SavedRun = { ...start, state: "running", turns: 0, usage: sum(0), costNanoUsd: 0 };
  const promptMessage: Message = { role: "user", id: `${runId}-0`, at, origin: "person", text: prompt };
  commits.push({
    at,
    run: running,
    messages: [promptMessage],
    events: [event(at, { type: "RunStarted", prompt, spec })],
  });
  for (let turn = 1; turn <= turns; turn += 1) {
    const now = at + turn * 1_000;
    const [callId, input, content] = [`${runId}-call-${turn}`, { path: `file-${turn}` }, `${text} ${turn}`];
    const messages: Message[] = [
      {
        role: "assistant",
        id: `${runId}-${turn}a`,
        at: now,
        parts: [{ type: "call", id: callId, tool: "read", input }],
        stop: "calls",
        model: "m",
        usage,
      },
      { role: "tool", id: `${runId}-${turn}b`, at: now, callId, tool: "read", status: "ok", content },
    ];
    const turnEvents = [
      event(now, { type: "TurnStarted", turn }),
      event(now, { type: "UsageUpdate", usage, total: sum(turn) }),
      event(now, { type: "CostEvent", model: "m", costNanoUsd: costOfTurn, totalNanoUsd: costOfTurn * turn }),
      event(now, { type: "ToolStart", callId, tool: "read", input }),
      event(now, { type: "ToolEnd", callId, tool: "read", status: "ok", content, ms: 5 }),
      event(now, { type: "TurnComplete", turn }),
    ];
    const costs = [
      { id: `req-${runId}-${turn}`, sessionId, runId, model: "m", at: now, usage, costNanoUsd: costOfTurn },
    ];
    commits.push({
      at: now,
      messages,
      costs,
      events: turnEvents,
      run: { ...running, turns: turn, usage: sum(turn), costNanoUsd: costOfTurn * turn },
    });
  }
  const endedAt = at + (turns + 1) * 1_000;
  const run: SavedRun = {
    ...running,
    endedAt,
    state: "completed",
    reason: "answered",
    text: "Done.",
    turns,
    usage: sum(turns),
    costNanoUsd: costOfTurn * turns,
  };
  const answer: Message = {
    role: "assistant",
    id: `${runId}-end`,
    at: endedAt,
    parts: [{ type: "text", text: "Done." }],
    stop: "end",
    model: "m",
    usage: sum(0),
  };
  const { state, reason, costNanoUsd } = run;
  const result = {
    sessionId,
    runId,
    state,
    reason,
    exitCode: 0,
    text: run.text,
    turns,
    usage: run.usage,
    costNanoUsd,
    interventions: [],
  } as RunResult; // all fields
  commits.push({ at: endedAt, messages: [answer], run, events: [event(endedAt, { type: "RunComplete", result })] });
  return { run, messages: commits.flatMap(({ messages = [] }) => messages), events, commits };
}

/** Saves runs of a session, one after the other. */
export async function saveRuns(stores: Stores, sessionId: string, runs: readonly SampleRun[]): Promise<void> {
  const lease = await claimLease(stores, sessionId, runs[0]?.run.startedAt ?? start);
  for (const { commits } of runs) for (const commit of commits) await stores.sessions.commit(lease, commit);
  await stores.sessions.release(lease);
}

/** Claims a session for this process. */
export async function claimLease(stores: Stores, sessionId: string, at: number): Promise<Lease> {
  const claim = await stores.sessions.claim(sessionId, thisProcess(), at);
  if (!claim.ok) throw new Error(`Session ${sessionId} is held.`);
  return claim.lease;
}

/** Writes the log of a run, with the file times that it would have had. */
export function writeRunLog(dir: string, { events }: SampleRun, level: LogLevel = 3): void {
  const [first] = events;
  if (first === undefined) return;
  const file = createRunLog({ dir, sessionId: first.sessionId, runId: first.runId, level });
  for (const event of events) file.write(event);
  file.close();
  const [startedAt, finishedAt] = [first.at, events.at(-1)?.at ?? first.at].map((at) => new Date(at));
  const folder = join(dir, first.sessionId);
  utimesSync(join(folder, `${first.runId}.jsonl`), finishedAt ?? 0, finishedAt ?? 0);
  utimesSync(folder, startedAt ?? 0, startedAt ?? 0);
}

/** The size of all files in a folder. */
export function bytesIn(dir: string): number {
  if (!existsSync(dir)) return 0;
  return readdirSync(dir, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    const path = join(entry.parentPath, entry.name);
    return sum + (entry.isFile() ? statSync(path).size : 0);
  }, 0);
}
