import { spawnSync } from "node:child_process";
import { initialState } from "@sheepdog/guardian";
import type { AgentEvent } from "../../src/protocol/events.ts";
import type { AssistantMessage, Message, UserMessage } from "../../src/protocol/messages.ts";
import { thisProcess } from "../../src/stores/holder.ts";
import type { Checkpoint, CostRow, Holder, Lease, SavedRun, Stores } from "../../src/stores/stores.ts";

export const hour = 3_600_000;
export const noon: number = Date.UTC(2026, 2, 15, 12);
export const usage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 5, isEstimated: false };
export const oddIds = [
  "ses_1",
  "SES_1",
  "../x",
  "a/b",
  "'; DROP TABLE sessions; --",
  "",
  " ",
  "ü",
  "日本",
  "%",
  "_",
  "__proto__",
  "constructor",
  "x".repeat(4_096),
];

/** A process of another machine: it is unknown whether it is running. */
export function holder(id: string): Holder {
  return { id, pid: 4_711, host: "a machine of another name" };
}

/** A process of this machine that has ended: this one, as if it had started at another time. */
export function endedHolder(id: string): Holder {
  const me = thisProcess();
  const [bootId, pidNamespace] = (me.processStart ?? "").split("/");
  if (pidNamespace !== undefined) return { ...me, id, processStart: `${bootId}/${pidNamespace}/0` };
  return { ...me, id, pid: spawnSync(process.execPath, ["-e", ""]).pid }; // without /proc
}

/** Claims a session that is free. */
export async function claimLease(stores: Stores, sessionId: string, at = 0): Promise<Lease> {
  const claim = await stores.sessions.claim(sessionId, holder("proc_1"), at);
  if (!claim.ok) throw new Error(`Session ${sessionId} is held by ${claim.holder.id}.`);
  return claim.lease;
}

export function said(id: string, text = `text of ${id}`): UserMessage {
  return { role: "user", id, at: 1, origin: "person", text };
}

export function replied(id: string, callId = "c1"): AssistantMessage {
  const parts = [
    { type: "thinking", text: "hm", providerMetadata: { signature: "s" } },
    { type: "text", text: "so" },
    { type: "call", id: callId, tool: "read", input: { path: "a", deep: [{ n: 1.5, none: null, yes: true }] } },
  ] as const;
  return { role: "assistant", id, at: 2, parts, stop: "calls", model: "m", usage };
}

export function result(id: string, callId = "c1"): Message {
  return { role: "tool", id, at: 3, callId, tool: "read", status: "ok", content: "text" };
}

/** A reply that is not JSON. */
export function broken(id: string): Message {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  return { ...replied(id), parts: [{ type: "call", id: "c", tool: "t", input: cyclic }] };
}

export function checkpoint(turn: number): Checkpoint {
  return {
    runId: "run_1",
    turn,
    guardian: initialState("plain"),
    total: usage,
    costNanoUsd: turn * 10,
    recoveries: { maxTokens: 0, emptyReply: 1 },
  };
}

export function running(runId: string, turns = 0): SavedRun {
  const spec = { version: 1, isAttended: true, settings: { "model.provider": "openai", list: [1] } } as const;
  const prompt = `the task of ${runId}`;
  return { runId, prompt, startedAt: 5, spec, state: "running", turns, usage, costNanoUsd: null };
}

let requestCount = 0;

/** A request with a unique id, unless an id is given. */
export function cost(sessionId: string, at: number, costNanoUsd: number | null, id?: string): CostRow {
  requestCount += 1;
  return { id: id ?? `req_${requestCount}`, sessionId, runId: "run_1", model: "m", at, usage, costNanoUsd };
}

export function event(sessionId: string, seq: number, turn = seq): AgentEvent {
  return { type: "TurnStarted", turn, seq, at: 1, sessionId, runId: "run_1", severity: "debug" };
}
