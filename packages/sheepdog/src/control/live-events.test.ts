import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type AgentEvent, type AgentEventBody, createEventBus, type EventBus } from "@sheepdog/agent";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Home, resolveHome } from "../home.ts";
import { createEventLines } from "./event-lines.ts";
import { isOwnerRunning, writeOwner } from "./folder-owner.ts";
import { followLiveEvents } from "./live-events.ts";
import { offerLiveEvents } from "./offer-live-events.ts";
import { createRunPort } from "./run-port.ts";

/** A home with a short path, since sockets need one. */
async function shortHome(): Promise<Home> {
  const dir = await mkdtemp(join(tmpdir(), "dog-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return resolveHome({ SHEEPDOG_HOME: dir });
}

/** A runtime's bus that counts its listeners. */
function countingBus() {
  const bus = createEventBus({ now: Date.now });
  let listeners = 0;
  const subscribe: EventBus["subscribe"] = (listener) => {
    listeners += 1;
    const unsubscribe = bus.subscribe(listener);
    return () => {
      listeners -= 1;
      unsubscribe();
    };
  };
  return { bus, subscribe, listeners: () => listeners };
}

const ref = (n: number) => ({ sessionId: `ses_${n}`, runId: `run_${n}` });
const turn = (n: number): AgentEventBody => ({ type: "TurnStarted", turn: n });
const delta = (length: number): AgentEventBody => ({ type: "TextDelta", text: `${"word ".repeat(length / 5)}\n` });

/** Offers the events of a run, as the process of the run does. */
async function offerRun({ controlDir }: Home, runId: string) {
  const folder = join(controlDir, runId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const counted = countingBus();
  const stop = offerLiveEvents(folder, counted);
  onTestFinished(stop);
  const connected = () => vi.waitFor(() => expect(counted.listeners()).toBe(1), 5_000);
  return { ...counted, folder, socket: join(folder, "events.sock"), stop, connected };
}

function follow(home: Home) {
  const events: AgentEvent[] = [];
  const batches: number[] = [];
  const stop = followLiveEvents(home, (batch) => {
    events.push(...batch);
    batches.push(batch.length);
  });
  onTestFinished(stop);
  return { events, batches, stop };
}

describe("the live events of a run", () => {
  test("reach another process as they are published, with deltas and the events of subagents", async () => {
    const home = await shortHome();
    const { events, batches } = follow(home);
    const { bus, connected, socket, stop } = await offerRun(home, "run_1");
    await connected();
    expect([lstatSync(socket).isSocket(), statSync(socket).mode & 0o777]).toEqual([true, 0o600]);
    bus.emit(ref(1), turn(1));
    bus.emit(ref(1), { type: "TextDelta", text: "Hello, \u{1f415}. " });
    bus.emit(ref(1), { type: "ToolOutput", callId: "c1", text: "1 of 2\n" });
    bus.emit(ref(2), turn(1));
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain("ToolOutput"));
    await vi.waitFor(() => expect(events.some(({ sessionId }) => sessionId === "ses_2")).toBe(true));
    expect(batches[0]).toBeGreaterThan(1);
    const texts = events.flatMap((event) => (event.type === "TextDelta" ? [event.text] : []));
    expect(texts.join("")).toContain("Hello, \u{1f415}.");
    stop();
    await vi.waitFor(() => expect(existsSync(socket)).toBe(false));
  });

  test("cost nothing while nobody follows them", async () => {
    const home = await shortHome();
    const { connected, listeners } = await offerRun(home, "run_1");
    expect(listeners()).toBe(0);
    const first = follow(home);
    await connected();
    const second = follow(home);
    first.stop();
    await pause(50);
    second.stop();
    await vi.waitFor(() => expect(listeners()).toBe(0));
  });

  test("end with the last event of the run", async () => {
    const home = await shortHome();
    const { events } = follow(home);
    const { bus, connected, stop } = await offerRun(home, "run_1");
    await connected();
    for (let n = 1; n <= 500; n += 1) bus.emit(ref(1), turn(n));
    stop();
    await vi.waitFor(() => expect(events).toHaveLength(500));
    expect(events.at(-1)).toMatchObject({ type: "TurnStarted", turn: 500 });
  });

  test("of twenty runs come together, and runs come and go", async () => {
    const home = await shortHome();
    const { events } = follow(home);
    const offers = await Promise.all(Array.from({ length: 20 }, (_, n) => offerRun(home, `run_${n}`)));
    for (const { connected } of offers) await connected();
    for (const [n, { bus }] of offers.entries()) for (let t = 1; t <= 10; t += 1) bus.emit(ref(n), turn(t));
    await vi.waitFor(() => expect(events).toHaveLength(200));
    for (const [n] of offers.entries())
      expect(events.filter(({ runId }) => runId === `run_${n}`).map(({ seq }) => seq)).toEqual(
        Array.from({ length: 10 }, (_, index) => index + 1),
      );
    for (const { stop, folder } of offers) {
      stop();
      await rm(folder, { recursive: true });
    }
    const { bus, connected } = await offerRun(home, "run_20");
    await connected();
    bus.emit(ref(20), turn(1));
    await vi.waitFor(() => expect(events).toHaveLength(201));
  });

  test("never wait for a client that does not read: it loses deltas first, then its connection", async () => {
    const home = await shortHome();
    const { bus, connected, socket, listeners } = await offerRun(home, "run_1");
    const stuck = connect(socket).pause();
    onTestFinished(() => void stuck.destroy());
    await connected();
    const startedAt = performance.now();
    for (let n = 0; n < 400; n += 1) bus.emit(ref(1), delta(20_000));
    bus.emit(ref(1), turn(1));
    const memory = process.memoryUsage().arrayBuffers;
    expect(listeners()).toBe(1); // the deltas are dropped, the client is still connected
    const big: AgentEventBody = { type: "ProviderWarning", model: "m", problem: "problem ".repeat(20_000) };
    for (let n = 0; n < 60; n += 1) bus.emit(ref(1), big);
    await vi.waitFor(() => expect(listeners()).toBe(0));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(50_000_000);
  });

  test("tell a slow client how many deltas it has missed", async () => {
    const home = await shortHome();
    const { bus, connected, socket } = await offerRun(home, "run_1");
    const slow = connect(socket).pause();
    onTestFinished(() => void slow.destroy());
    await connected();
    for (let n = 0; n < 100; n += 1) bus.emit(ref(1), delta(20_000));
    bus.emit(ref(1), turn(7));
    const readEvents = createEventLines();
    const read: (AgentEvent & { readonly dropped?: number })[] = [];
    slow.on("data", (chunk) => read.push(...readEvents(chunk))).resume();
    await vi.waitFor(() => expect(read.at(-1)).toMatchObject({ type: "TurnStarted" }));
    const { dropped = 0 } = read.at(-1) ?? {};
    expect(dropped).toBeGreaterThan(0);
    expect(read.length + dropped).toBeLessThanOrEqual(102);
  });

  test("are not offered where the path is too long or is no place for a socket", async () => {
    const home = await shortHome();
    const long = join(home.controlDir, "x".repeat(120));
    await mkdir(long, { recursive: true });
    const { subscribe } = countingBus();
    offerLiveEvents(long, { subscribe })();
    offerLiveEvents(join(home.dir, "missing"), { subscribe })();
    await writeFile(join(long, "events.sock"), "");
    const { events, stop } = follow(home);
    await pause(20);
    stop();
    expect(events).toEqual([]);
  });
});

/** A process that owns the message folder of a run and listens on its socket. */
async function startOwner({ controlDir }: Home, runId: string): Promise<ChildProcess> {
  const folder = join(controlDir, runId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const program = `
    const { createServer } = require("node:net");
    const event = { type: "TurnStarted", turn: 1, seq: 1, at: 1, sessionId: "ses_1", runId: "${runId}" };
    createServer((socket) => socket.write("not JSON\\n{}\\n" + JSON.stringify(event) + "\\n"))
      .listen("${join(folder, "events.sock")}", () => console.log("listening"));`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout ?? child, "data");
  return child;
}

test("a process that is killed leaves a socket that does no harm, and its next process is followed", async () => {
  const home = await shortHome();
  const { events } = follow(home);
  const child = await startOwner(home, "run_1");
  await vi.waitFor(() => expect(events).toMatchObject([{ type: "TurnStarted", runId: "run_1" }]), 5_000);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(lstatSync(join(home.controlDir, "run_1", "events.sock")).isSocket()).toBe(true);
  const { bus, connected } = await offerRun(home, "run_1");
  await connected();
  bus.emit(ref(1), turn(2));
  await vi.waitFor(() => expect(events).toHaveLength(2));
});

describe("a run can receive commands", () => {
  test("while the process that reads its folder is running", async () => {
    const home = await shortHome();
    const port = createRunPort(home);
    const folder = join(home.controlDir, "run_1");
    expect(await port.canReceive("run_1")).toBe(false);
    await mkdir(folder, { recursive: true });
    expect(await port.canReceive("run_1")).toBe(false);
    writeOwner(folder);
    expect([await port.canReceive("run_1"), await port.canReceive("../run_1")]).toEqual([true, false]);
  });

  test("not after that process was killed, nor with a damaged file", async () => {
    const home = await shortHome();
    const folder = join(home.controlDir, "run_1");
    await mkdir(folder, { recursive: true });
    writeOwner(folder);
    const owner = JSON.parse(await readFile(join(folder, "owner.json"), "utf8"));
    await writeFile(join(folder, "owner.json"), JSON.stringify({ ...owner, pid: 2 ** 22 - 1 }));
    expect(isOwnerRunning(folder)).toBe(false);
    await writeFile(join(folder, "owner.json"), '{"pid":"1"}');
    expect(isOwnerRunning(folder)).toBe(false);
  });
});
