import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Run, RunControl, RunResult } from "@sheepdog/agent";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { type Home, resolveHome } from "../home.ts";
import { type ControlMessage, receiveMessages, sendMessage } from "./index.ts";

const file = scratchFolder();
const runId = "run_1";

async function homeIn(name: string): Promise<Home> {
  return resolveHome({ SHEEPDOG_HOME: await file(name) });
}

/** A run that remembers what it was told. */
function listener() {
  const heard: unknown[] = [];
  let end = () => {};
  const result = new Promise<RunResult>((resolve) => {
    end = () => resolve({} as RunResult); // nobody looks at it here
  });
  let isOver = false;
  const hear = (what: unknown) => {
    if (!isOver) heard.push(what);
    return !isOver;
  };
  const run: Run = {
    sessionId: "ses_1",
    runId,
    result,
    cancel: () => void hear("cancel"),
    steer: (text: string) => hear(text),
    control: (instruction: RunControl) => hear(instruction),
    limits: () => ({ turns: { stop: 100 }, "run-cost": { stop: 5e9, warn: 4e9 } }),
    async *[Symbol.asyncIterator]() {},
  };
  return {
    run,
    heard,
    /** From now on nobody is heard; the promise comes later. */
    deafen: () => {
      isOver = true;
    },
    end,
  };
}

async function gone(path: string): Promise<void> {
  await expect.poll(() => existsSync(path)).toBe(false);
}

describe("orders to a run in another process", () => {
  test("are carried out in the order they were given, and leave nothing behind", async () => {
    const home = await homeIn("home");
    const { run, heard, end } = listener();
    const told: ControlMessage[] = [];
    receiveMessages(home, run, (order) => told.push(order));
    const orders: ControlMessage[] = [
      { type: "limit", limit: "run-cost", stop: 2e9, warn: 1e9 },
      { type: "steer", text: "look at the tests" },
      { type: "stop" },
    ];
    for (const order of orders)
      expect(await (await sendMessage(home, runId, order)).taken(10_000)).toMatchObject({ type: "taken" });
    expect(heard).toEqual([orders[0], "look at the tests", "cancel"]);
    expect(told).toEqual(orders);
    expect(await readdir(join(home.controlDir, runId))).toEqual([]);
    end();
    await gone(join(home.controlDir, runId));
  });

  test("for more of a limit are on top of the one that holds, which only the run knows", async () => {
    const home = await homeIn("home");
    const { run, heard } = listener();
    const told: ControlMessage[] = [];
    const leave = receiveMessages(home, run, (order) => told.push(order));
    const more = async (limit: "turns" | "run-cost" | "time", amount: number) =>
      (await sendMessage(home, runId, { type: "limit", limit, more: amount })).taken(10_000);
    expect(await more("turns", 10)).toEqual({ type: "taken", limit: 110 });
    expect(await more("run-cost", 5e9)).toEqual({ type: "taken", limit: 1e10 });
    expect(await more("time", 60_000)).toEqual({ type: "refused" });
    const raised = [
      { type: "limit", limit: "turns", stop: 110 },
      { type: "limit", limit: "run-cost", stop: 1e10, warn: 8e9 },
    ];
    expect([heard, told]).toEqual([raised, raised]);
    expect(await readdir(join(home.controlDir, runId))).toEqual([]);
    leave();
  });

  test("may lie there before the run listens", async () => {
    const home = await homeIn("home");
    const sent = await sendMessage(home, runId, { type: "stop" });
    const { run, heard } = listener();
    const leave = receiveMessages(home, run);
    expect([await sent.taken(10_000), heard]).toEqual([{ type: "taken" }, ["cancel"]]);
    leave();
  });

  test("can be read and written by their owner only", async () => {
    const home = await homeIn("home");
    await mkdir(home.controlDir, { recursive: true });
    await chmod(home.controlDir, 0o777);
    await sendMessage(home, runId, { type: "stop" });
    const folder = join(home.controlDir, runId);
    const [name = ""] = await readdir(folder);
    const modes = await Promise.all(
      [home.controlDir, folder, join(folder, name)].map(async (path) => (await stat(path)).mode & 0o777),
    );
    expect(modes).toEqual([0o700, 0o700, 0o600]);
  });

  test("are taken back where nobody listens", async () => {
    const home = await homeIn("home");
    const sent = await sendMessage(home, runId, { type: "stop" });
    expect(await sent.taken(1)).toEqual({ type: "unheard" });
    expect(await readdir(join(home.controlDir, runId))).toEqual([]);
  });

  test("to a run that ends meanwhile come back as such", async () => {
    const home = await homeIn("home");
    const { run, heard, deafen, end } = listener();
    receiveMessages(home, run);
    deafen();
    const sent = await sendMessage(home, runId, { type: "steer", text: "too late" });
    end();
    expect([await sent.taken(10_000), heard]).toEqual([{ type: "ended" }, []]);
  });

  test("that were meant for an earlier process are not carried out", async () => {
    const home = await homeIn("home");
    await sendMessage(home, runId, { type: "stop" });
    const folder = join(home.controlDir, runId);
    const [old = ""] = await readdir(folder);
    await utimes(join(folder, old), 1, 1);
    const { run, heard } = listener();
    const leave = receiveMessages(home, run);
    const fresh = await sendMessage(home, runId, { type: "steer", text: "go on" });
    expect([await fresh.taken(10_000), heard]).toEqual([{ type: "taken" }, ["go on"]]);
    leave();
  });

  test("that are none are moved aside and told, and the others are carried out", async () => {
    const home = await homeIn("home");
    const bad = [
      "{",
      "null",
      '"stop"',
      "{}",
      '{"type":"halt"}',
      '{"type":"steer","text":" "}',
      '{"type":"limit","limit":"moon","stop":1}',
      '{"type":"limit","limit":"turns","stop":-1}',
      '{"type":"limit","limit":"turns","stop":"9"}',
      '{"type":"limit","limit":"turns","stop":1e999}',
      '{"type":"limit","limit":"turns","stop":1,"warn":null}',
      '{"type":"limit","limit":"turns","more":0}',
      '{"type":"limit","limit":"turns","more":-5}',
      '{"type":"limit","limit":"turns","more":5,"stop":1}',
      `{"type":"steer","text":"${"x".repeat(200_000)}"}`,
    ];
    const folder = join(home.controlDir, runId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const nameOf = (n: number) => `${String(n).padStart(15, "0")}-aaaaaaaaaaaa.json`;
    for (const [n, content] of bad.entries()) await writeFile(join(folder, nameOf(n)), content);
    await symlink(await file("elsewhere", '{"type":"stop"}'), join(folder, nameOf(90)));
    await mkdir(join(folder, nameOf(91)));
    await writeFile(join(folder, "notes.txt"), '{"type":"stop"}');
    const { run, heard } = listener();
    const problems: string[] = [];
    const leave = receiveMessages(home, run, undefined, (problem) => problems.push(problem));
    const sent = await sendMessage(home, runId, { type: "steer", text: "go on" });
    expect([await sent.taken(10_000), heard]).toEqual([{ type: "taken" }, ["go on"]]);
    expect(problems).toHaveLength(bad.length + 2);
    expect(problems[0]).toBe(`What lies in ${join(folder, nameOf(0))}.bad is no order; it was moved aside.`);
    leave();
    await gone(folder);
  });

  test("cannot be sent to what is no id", async () => {
    const home = await homeIn("home");
    for (const id of ["../x", "", "*", "a/b", "\u001b[2J", "x".repeat(4_000)])
      await expect(sendMessage(home, id, { type: "stop" })).rejects.toThrow("Expected the id of a run");
  });

  test("are not heard where the home cannot be written to, and the run goes on", async () => {
    const home = resolveHome({ SHEEPDOG_HOME: await file("a-file", "") });
    const problems: string[] = [];
    const { run } = listener();
    receiveMessages(home, run, undefined, (problem) => problems.push(problem))();
    expect(problems).toEqual([expect.stringContaining("Orders from other processes are not heard: ")]);
    await expect(sendMessage(home, runId, { type: "stop" })).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});
