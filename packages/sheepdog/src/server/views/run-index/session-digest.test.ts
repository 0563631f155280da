import { type AgentEvent, type EventStore, memoryStores, type SessionStore } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { createSummaryContext } from "../../../saved-runs/list-runs.ts";
import { listSessions, sessionData } from "./run-index.ts";
import { runRow } from "./run-row.ts";

const at = Date.now();
const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false };
const holder = { id: "h", pid: process.pid, host: "elsewhere" };

/** A live session that can be continued, and what is read of it. */
async function openLiveSession() {
  const stores = memoryStores();
  const claim = await stores.sessions.claim("ses_a", holder, at);
  if (!claim.ok) throw new Error("Expected to claim the session.");
  const read = { events: 0, messages: 0 };
  const after: EventStore["after"] = async (...args) => {
    const events = await stores.events.after(...args);
    read.events += events.length;
    return events;
  };
  const load: SessionStore["load"] = async (...args) => {
    const saved = await stores.sessions.load(...args);
    read.messages += saved.messages.length;
    return saved;
  };
  const watched = {
    ...stores,
    events: { ...stores.events, after },
    sessions: { ...stores.sessions, load },
  };
  let seq = 0;
  const event = (body: object): AgentEvent =>
    ({ sessionId: "ses_a", runId: "run_a", seq: ++seq, at: at + seq, severity: "info", ...body }) as AgentEvent;
  const run = {
    runId: "run_a",
    prompt: "Go.",
    startedAt: at,
    state: "running",
    turns: 0,
    usage,
    costNanoUsd: 0,
  } as const;
  await stores.sessions.commit(claim.lease, { at, run, events: [event({ type: "RunStarted", prompt: "Go." })] });
  const writeTurn = async (turn: number) => {
    const input = { path: "a.ts", content: "x".repeat(5_000) };
    const call = { callId: `c${turn}`, tool: "write", input };
    const intervention = {
      id: `e1/${turn === 3 ? "warn" : "hint"}`,
      detector: "doom-loop",
      level: turn === 3 ? "warn" : "hint",
      effect: "tell",
      call: turn,
      evidence: [turn - 1, turn],
      count: turn + 1,
      message: "Again.",
      isApplied: true,
    };
    await stores.sessions.commit(claim.lease, {
      at: at + seq,
      messages: [
        {
          role: "assistant",
          id: `m${turn}`,
          at: at + seq,
          parts: [{ type: "call", id: `c${turn}`, ...call }],
        } as never,
      ].map((message: object) => ({ ...message, stop: "calls", model: "m", usage }) as never),
      events: [
        event({ type: "TurnStarted", turn }),
        event({ type: "CostEvent", costNanoUsd: 1e9, totalNanoUsd: (turn + 1) * 1e9 }),
        event({ type: "ToolStart", ...call }),
        event({ type: "ToolEnd", ...call, status: "ok", content: "y".repeat(9_000) }),
        ...(turn > 1 ? [event({ type: "GuardianIntervention", intervention })] : []),
      ],
    });
  };
  const rows = async () => {
    const list = await listSessions(watched, at);
    return (await Promise.all(list.sessions.map(list.runsOf))).flat().map(({ row }) => row);
  };
  const wholeRows = async () => {
    const sessions = await stores.sessions.list();
    const context = createSummaryContext(stores, sessions, at);
    return (await Promise.all(sessions.map((session) => sessionData(session, context)))).flat().map(runRow);
  };
  return { writeTurn, rows, wholeRows, read };
}

test("after a commit only what is new is read, and the row is the same as that of the whole run", async () => {
  const { writeTurn, rows, wholeRows, read } = await openLiveSession();
  for (let turn = 0; turn < 4; turn++) {
    await writeTurn(turn);
    [read.events, read.messages] = [0, 0];
    expect(await rows()).toEqual(await wholeRows());
    if (turn > 0) expect([read.events <= 5, read.messages]).toEqual([true, 1]);
  }
  expect(await rows()).toMatchObject([{ isLive: true, turns: 4, guardian: { level: "warn" } }]);
});
