import { type AgentEvent, type EventBatch, thisProcess } from "@sheepdog/agent";
import { describe, expect, test } from "vitest";
import type { BatchSource, FollowLive } from "../../src/server/stream/event-source.ts";
import { noUsage } from "../run-data.ts";
import { scratchFolder } from "../scratch-folder.ts";
import { echo, openTestHome, type TestHome } from "../test-home.ts";
import { followStream, savedKeys } from "./stream-reader.ts";
import { serveTestHome, startTestServer } from "./test-server.ts";

const file = scratchFolder();
const script = [{ calls: [{ tool: "echo", input: { text: "a" } }] }, { text: "Done." }];

async function storedKeys({ stores }: TestHome, ...sessionIds: readonly string[]): Promise<readonly string[]> {
  const events = await Promise.all(sessionIds.map((sessionId) => stores.events.after(sessionId, 0)));
  return events.flat().map(({ sessionId, seq }) => `${sessionId}:${seq}`);
}

describe("fault 75: a web client connects late, disconnects, reconnects, or never reads", () => {
  test("it gets what is saved from now on, in order and once", async (context) => {
    const server = await startTestServer(context, await file("home"));
    const { testHome } = server;
    await testHome.runPrompt("ses_before", "Say.", script);
    const reader = await followStream(server);
    expect(reader.status).toBe(200);
    await testHome.runPrompt("ses_a", "Say.", script);
    const expected = await storedKeys(testHome, "ses_a");
    await expect.poll(() => savedKeys(reader)).toEqual(expected);
    expect(reader.lastId()).toBe(String(await testHome.stores.events.lastPosition()));
    expect(reader.text()).toMatch(/^retry: 1000\nid: \d+\n\n/);
    reader.close();
  });

  test("with a position it gets everything after it, by header or query", async (context) => {
    const server = await startTestServer(context, await file("home"));
    const { testHome } = server;
    await testHome.runPrompt("ses_a", "Say.", script);
    const position = await testHome.stores.events.lastPosition();
    await testHome.runPrompt("ses_b", "Say.", script);
    const byQuery = await followStream(server, "?after=0");
    const byHeader = await followStream(server, "?after=0", { "last-event-id": String(position) });
    await expect.poll(() => savedKeys(byQuery).length).toBe((await storedKeys(testHome, "ses_a", "ses_b")).length);
    expect(savedKeys(byQuery)).toEqual(await storedKeys(testHome, "ses_a", "ses_b"));
    await expect.poll(() => savedKeys(byHeader)).toEqual(await storedKeys(testHome, "ses_b"));
    byQuery.close();
    byHeader.close();
  });

  test("it continues where it was when the server was killed and started again", async (context) => {
    const testHome = await openTestHome(await file("home"));
    context.onTestFinished(() => testHome.close());
    const first = await serveTestHome(context, testHome);
    const reader = await followStream(first);
    await testHome.runPrompt("ses_a", "Say.", script);
    await expect.poll(() => savedKeys(reader).length).toBeGreaterThan(0);
    await first.close();
    await reader.ended;
    await testHome.runPrompt("ses_b", "Say.", script);
    const second = await serveTestHome(context, testHome, { port: first.port });
    const again = await followStream(second, "", { "last-event-id": reader.lastId() });
    const expected = await storedKeys(testHome, "ses_a", "ses_b");
    await expect.poll(() => [...savedKeys(reader), ...savedKeys(again)]).toEqual(expected);
  });

  test("a position that does not exist is reset", async (context) => {
    const server = await startTestServer(context, await file("home"));
    const { testHome } = server;
    await testHome.runPrompt("ses_a", "Say.", script);
    const position = await testHome.stores.events.lastPosition();
    const reader = await followStream(server, `?after=${Number.MAX_SAFE_INTEGER}`);
    await reader.arrived("reset", 1);
    expect(reader.messages).toEqual([{ type: "reset", position }]);
    await testHome.runPrompt("ses_b", "Say.", script);
    await expect.poll(() => savedKeys(reader)).toEqual(await storedKeys(testHome, "ses_b"));
    for (const after of ["-1", "x", "1.5"]) expect((await server.api(`/api/stream?after=${after}`)).status).toBe(400);
  });

  test("it can follow one session with its subagents", async (context) => {
    const server = await startTestServer(context, await file("home"));
    const { testHome } = server;
    await testHome.runPrompt("ses_a", "Say.", script);
    const reader = await followStream(server, "?session=ses_a&after=0");
    await testHome.runPrompt("ses_b", "Say.", script);
    await testHome.runPrompt("ses_a", "Again.", script, { tools: [echo] });
    await expect.poll(() => savedKeys(reader).length).toBe((await storedKeys(testHome, "ses_a")).length);
    expect(savedKeys(reader)).toEqual(await storedKeys(testHome, "ses_a"));
  });

  test("it gets the first events of every subagent, however soon one starts after the other", async (context) => {
    const { followLive, send } = manualLive();
    const server = await startTestServer(context, await file("home"), { followLive });
    const { testHome } = server;
    await testHome.runPrompt("ses_a", "Say.", script);
    const reader = await followStream(server, "?session=ses_a");
    for (const [index, sessionId] of ["ses_child_1", "ses_child_2", "ses_child_3"].entries()) {
      send(delta(1, sessionId)); // live events come before the session is saved
      await new Promise((resolve) => setTimeout(resolve, 120));
      await saveSubagent(testHome, sessionId, "ses_a");
      await reader.arrived("events", index + 1);
    }
    expect(savedKeys(reader)).toEqual(["ses_child_1:1", "ses_child_2:1", "ses_child_3:1"]);
  });

  test("one that never reads costs little memory, slows nobody down, and misses nothing", async (context) => {
    const { source, add } = growingSource();
    const testHome = await openTestHome(await file("home"));
    context.onTestFinished(() => testHome.close());
    const stores = { ...testHome.stores, events: { ...testHome.stores.events, ...source } };
    const server = await serveTestHome(context, testHome, { context: { stores } });
    const [slow, fast] = [await followStream(server, "?after=0"), await followStream(server, "?after=0")];
    slow.pause();
    const before = process.memoryUsage().rss;
    for (let count = 0; count < 15; count += 1) {
      add(50, 20_000); // 1 MB
      await fast.arrived("events", 50 * (count + 1));
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000); // the readers of this test keep 60 MB
    expect(slow.messages.length).toBeLessThan(700);
    slow.resume();
    await slow.arrived("events", 750);
    expect(savedKeys(slow)).toEqual(savedKeys(fast));
  }, 60_000);
});

describe("fault 74: events that are not saved yet", () => {
  test("are sent together, without an id, to those who want them", async (context) => {
    const { followLive, send, listeners } = manualLive();
    const server = await startTestServer(context, await file("home"), { followLive });
    expect(listeners.size).toBe(0);
    const all = await followStream(server);
    const one = await followStream(server, "?session=ses_b");
    const saved = await followStream(server, "?live=false");
    await expect.poll(() => listeners.size).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (let seq = 1; seq <= 300; seq += 1) send(delta(seq));
    send(delta(1, "ses_b"));
    await all.arrived("live", 1);
    await one.arrived("live", 1);
    expect(all.messages.map((message) => message.type === "live" && message.events.length)).toEqual([301]);
    expect(one.messages).toEqual([{ type: "live", events: [delta(1, "ses_b")] }]);
    expect([saved.messages, all.lastId()]).toEqual([[], "0"]); // the position at the start
    for (const reader of [all, one, saved]) reader.close();
    await expect.poll(() => listeners.size).toBe(0);
  });

  test("are dropped for a client that reads slowly, but what is saved is not", async (context) => {
    const { followLive, send } = manualLive();
    const { source, add } = growingSource();
    const testHome = await openTestHome(await file("home"));
    context.onTestFinished(() => testHome.close());
    const stores = { ...testHome.stores, events: { ...testHome.stores.events, ...source } };
    const server = await serveTestHome(context, testHome, { context: { stores }, followLive });
    const [slow, fast] = [await followStream(server, "?after=0"), await followStream(server, "?after=0")];
    slow.pause();
    add(300, 60_000); // more than the buffers of a connection hold
    await fast.arrived("events", 300);
    for (let seq = 1; seq <= 5; seq += 1) {
      send(delta(seq));
      await fast.arrived("live", seq);
    }
    slow.resume();
    await slow.arrived("events", 300);
    expect(savedKeys(slow)).toEqual(savedKeys(fast));
    expect(slow.messages.filter(({ type }) => type === "live")).toEqual([]);
  });
});

describe("fault 83: many clients", () => {
  test("above the limit are refused with a sentence, and the others are served", async (context) => {
    const server = await startTestServer(context, await file("home"), { maxClients: 50 });
    const readers = await Promise.all(Array.from({ length: 50 }, () => followStream(server)));
    expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200));
    const refused = await server.api("/api/stream");
    expect([refused.status, refused.json()]).toEqual([
      503,
      { problem: "Too many pages follow this server. Close some of them." },
    ]);
    await server.testHome.runPrompt("ses_a", "Say.", script);
    const expected = await storedKeys(server.testHome, "ses_a");
    for (const reader of readers) await expect.poll(() => savedKeys(reader)).toEqual(expected);
    readers[0]?.close();
    await expect.poll(async () => (await followStream(server)).status).toBe(200);
  });

  test("that are connected do not delay the end of the server", async (context) => {
    const server = await startTestServer(context, await file("home"));
    const readers = await Promise.all(Array.from({ length: 20 }, () => followStream(server)));
    const startedAt = Date.now();
    await server.close();
    await Promise.all(readers.map(({ ended }) => ended));
    expect(Date.now() - startedAt).toBeLessThan(1_000);
  });
});

test("a heartbeat moves the position of a client to which nothing is sent", async (context) => {
  const server = await startTestServer(context, await file("home"), { heartbeatMs: 50 });
  const reader = await followStream(server, "?session=ses_none&after=0");
  await server.testHome.runPrompt("ses_a", "Say.", script);
  const position = await server.testHome.stores.events.lastPosition();
  await expect.poll(() => reader.lastId()).toBe(String(position));
  expect(reader.messages).toEqual([]);
});

/** A source in which batches appear as the test adds them. */
function growingSource() {
  const batches: EventBatch[] = [];
  const source: BatchSource = {
    async batchesAfter(position, limit) {
      return batches.slice(position, position + limit);
    },
    lastPosition: async () => batches.length,
  };
  const add = (count: number, bytes: number) => {
    for (let index = 0; index < count; index += 1) {
      const position = batches.length + 1;
      const events = Array.from({ length: bytes / eventBytes }, (_, place) => noteOf(position * 1_000 + place));
      batches.push({ position, sessionId: "ses_a", events });
    }
  };
  return { source, add };
}

/** Longer texts are cut. */
const eventBytes = 4_000;

function noteOf(seq: number): AgentEvent {
  const text = "x".repeat(eventBytes);
  // The stream sends events of every type.
  return { type: "Note", seq, at: 1, sessionId: "ses_a", runId: "run_1", text } as unknown as AgentEvent;
}

/** An event that is not saved. */
function delta(seq: number, sessionId = "ses_a"): AgentEvent {
  return { type: "TextDelta", text: "x", seq, at: 1, sessionId, runId: "run_1", severity: "debug" };
}

/** Live events that the test sends. */
function manualLive() {
  const listeners = new Set<(events: readonly AgentEvent[]) => void>();
  const followLive: FollowLive = (onEvents) => {
    listeners.add(onEvents);
    return () => listeners.delete(onEvents);
  };
  const send = (...events: readonly AgentEvent[]) => {
    for (const listener of listeners) listener(events);
  };
  return { followLive, send, listeners };
}

/** Saves the start of a subagent's run. */
async function saveSubagent({ stores }: TestHome, sessionId: string, billingSessionId: string): Promise<void> {
  const claim = await stores.sessions.claim(sessionId, thisProcess(), Date.now());
  if (!claim.ok) throw new Error("Expected a new session.");
  const [runId, at, prompt] = [`run_${sessionId}`, Date.now(), "Help."];
  const amounts = { turns: 0, usage: noUsage, costNanoUsd: 0 };
  await stores.sessions.commit(claim.lease, {
    at,
    run: { runId, prompt, billingSessionId, startedAt: at, state: "running", ...amounts },
    events: [{ type: "RunStarted", prompt, seq: 1, at, sessionId, runId, severity: "info" }],
  });
}
