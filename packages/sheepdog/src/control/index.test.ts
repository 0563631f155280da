import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Run, RunControl, RunResult } from "@sheepdog/agent";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { type Home, resolveHome } from "../home.ts";
import { type ControlMessage, createOpenQuestions, receiveMessages, sendMessage } from "./index.ts";

const file = scratchFolder();
const runId = "run_1";

async function homeIn(name: string): Promise<Home> {
  return resolveHome({ SHEEPDOG_HOME: await file(name) });
}

/** A run that records the messages applied to it. */
function recordingRun() {
  const applied: unknown[] = [];
  let end = () => {};
  const result = new Promise<RunResult>((resolve) => {
    end = () => resolve({} as RunResult); // the tests do not read it
  });
  let isEnded = false;
  const apply = (value: unknown) => {
    if (!isEnded) applied.push(value);
    return !isEnded;
  };
  const run: Run = {
    sessionId: "ses_1",
    runId,
    result,
    cancel: () => void apply("cancel"),
    steer: async (text: string) => apply(text),
    steeringProblem: async (text: string) => (text.length > 50_000 ? "The message is too long." : undefined),
    control: (instruction: RunControl) => apply(instruction),
    limits: () => ({ turns: { stop: 100 }, "run-cost": { stop: 5e9, warn: 4e9 } }),
    nearBudget: () => false,
    async *[Symbol.asyncIterator]() {},
  };
  return {
    run,
    applied,
    /** From now on the run accepts nothing; its result follows later. */
    stopAccepting: () => {
      isEnded = true;
    },
    end,
  };
}

async function removed(path: string): Promise<void> {
  await expect.poll(() => existsSync(path)).toBe(false);
}

describe("control messages to a run of another process", () => {
  test("are applied in the order they were sent, and leave no files", async () => {
    const home = await homeIn("home");
    const { run, applied, end } = recordingRun();
    const received: ControlMessage[] = [];
    receiveMessages(home, run, { onMessage: (message) => received.push(message) });
    const messages: ControlMessage[] = [
      { type: "limit", limit: "run-cost", stop: 2e9, warn: 1e9 },
      { type: "steer", text: "look at the tests" },
      { type: "mute", episode: "e1" },
      { type: "unmute", detector: "doom-loop", tool: "bash" },
      { type: "stop" },
    ];
    for (const message of messages)
      expect(await (await sendMessage(home, runId, message)).answer(10_000)).toMatchObject({ type: "applied" });
    expect(applied).toEqual([messages[0], "look at the tests", messages[2], messages[3], "cancel"]);
    expect(received).toEqual(messages);
    expect(await readdir(join(home.controlDir, runId))).toEqual(["owner.json"]);
    end();
    await removed(join(home.controlDir, runId));
  });

  test("a text that does not fit into the context of the run is refused", async () => {
    const home = await homeIn("home");
    const { run, applied } = recordingRun();
    const stop = receiveMessages(home, run);
    const sent = await sendMessage(home, runId, { type: "steer", text: "x".repeat(60_000) });
    expect(await sent.answer(5_000)).toEqual({ type: "refused", reason: "The message is too long." });
    expect(applied).toEqual([]);
    stop();
  });

  test("with `more` add to the limit in force, which only the run knows", async () => {
    const home = await homeIn("home");
    const { run, applied } = recordingRun();
    const received: ControlMessage[] = [];
    const stop = receiveMessages(home, run, { onMessage: (message) => received.push(message) });
    const more = async (limit: "turns" | "run-cost" | "time", amount: number) =>
      (await sendMessage(home, runId, { type: "limit", limit, more: amount })).answer(10_000);
    expect(await more("turns", 10)).toEqual({ type: "applied", message: { type: "limit", limit: "turns", stop: 110 } });
    expect(await more("run-cost", 5e9)).toMatchObject({ type: "applied", message: { stop: 1e10, warn: 8e9 } });
    expect(await more("time", 60_000)).toEqual({ type: "refused", reason: "The run has no limit time to add to." });
    const raised = [
      { type: "limit", limit: "turns", stop: 110 },
      { type: "limit", limit: "run-cost", stop: 1e10, warn: 8e9 },
    ];
    expect([applied, received]).toEqual([raised, raised]);
    expect(await readdir(join(home.controlDir, runId))).toEqual(["owner.json"]);
    stop();
  });

  test("may be sent before the run receives messages", async () => {
    const home = await homeIn("home");
    const sent = await sendMessage(home, runId, { type: "stop" });
    const { run, applied } = recordingRun();
    const stop = receiveMessages(home, run);
    expect([await sent.answer(10_000), applied]).toEqual([{ type: "applied", message: { type: "stop" } }, ["cancel"]]);
    stop();
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

  test("are withdrawn if no process receives them", async () => {
    const home = await homeIn("home");
    const sent = await sendMessage(home, runId, { type: "stop" });
    expect(await sent.answer(1)).toEqual({ type: "unanswered" });
    expect(await readdir(join(home.controlDir, runId))).toEqual([]);
  });

  test("to a run that ends meanwhile are answered as ended", async () => {
    const home = await homeIn("home");
    const { run, applied, stopAccepting, end } = recordingRun();
    receiveMessages(home, run);
    stopAccepting();
    const sent = await sendMessage(home, runId, { type: "steer", text: "too late" });
    end();
    expect([await sent.answer(10_000), applied]).toEqual([{ type: "ended" }, []]);
  });

  test("for an earlier process are not applied", async () => {
    const home = await homeIn("home");
    await sendMessage(home, runId, { type: "stop" });
    const folder = join(home.controlDir, runId);
    const [old = ""] = await readdir(folder);
    await utimes(join(folder, old), 1, 1);
    const { run, applied } = recordingRun();
    const stop = receiveMessages(home, run);
    const recent = await sendMessage(home, runId, { type: "steer", text: "continue" });
    expect([await recent.answer(10_000), applied]).toEqual([
      { type: "applied", message: { type: "steer", text: "continue" } },
      ["continue"],
    ]);
    stop();
  });

  test("that are invalid are renamed and reported, and the others are applied", async () => {
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
      `{"type":"steer","text":"${"x".repeat(1_000_001)}"}`,
      '{"type":"mute"}',
      '{"type":"unmute","episode":""}',
      '{"type":"mute","detector":"moon"}',
      '{"type":"mute","tool":7}',
      '{"type":"approval","callId":"c1"}',
      '{"type":"approval","callId":"c1","isAllowed":"yes"}',
      '{"type":"approval","isAllowed":true}',
      '{"type":"approval","callId":"c1","isAllowed":false,"reason":1}',
      '{"type":"answer","questionId":"e1/block","answer":"stop"}',
      '{"type":"answer","questionId":"e1/block","answer":{"type":"tell","text":" "}}',
      '{"type":"answer","answer":{"type":"stop"}}',
      '{"type":"reply","callId":"c1","text":""}',
      `{"type":"reply","callId":"${"c".repeat(2_000)}","text":"x"}`,
    ];
    const folder = join(home.controlDir, runId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const nameOf = (n: number) => `${String(n).padStart(15, "0")}-aaaaaaaaaaaa.json`;
    for (const [n, content] of bad.entries()) await writeFile(join(folder, nameOf(n)), content);
    await symlink(await file("elsewhere", '{"type":"stop"}'), join(folder, nameOf(90)));
    await mkdir(join(folder, nameOf(91)));
    await writeFile(join(folder, "notes.txt"), '{"type":"stop"}');
    const { run, applied } = recordingRun();
    const problems: string[] = [];
    const stop = receiveMessages(home, run, { onProblem: (problem) => problems.push(problem) });
    const sent = await sendMessage(home, runId, { type: "steer", text: "continue" });
    expect([await sent.answer(10_000), applied]).toEqual([
      { type: "applied", message: { type: "steer", text: "continue" } },
      ["continue"],
    ]);
    expect(problems).toHaveLength(bad.length + 2);
    expect(problems[0]).toBe(
      `${join(folder, nameOf(0))} is not a valid control message; it was renamed to ${join(folder, nameOf(0))}.bad.`,
    );
    stop();
    await removed(folder);
  });

  test("that the run cannot read are refused, and those of the longest text are not", async () => {
    const home = await homeIn("home");
    const questions = createOpenQuestions();
    const stop = receiveMessages(home, recordingRun().run, { questions });
    const send = async (callId: string, text: string) => {
      questions.open("reply", callId);
      return (await sendMessage(home, runId, { type: "reply", callId, text })).answer(10_000);
    };
    const reason = "The run cannot read this message. It is too long, or its text is empty.";
    expect(await send("c1", "  ")).toEqual({ type: "refused", reason });
    expect(await send("c2", "x".repeat(1_000_000))).toEqual({ type: "refused", reason });
    expect(await send("c3", "\u0001".repeat(100_000))).toMatchObject({ type: "applied" });
    stop();
    await removed(join(home.controlDir, runId));
  });

  test("cannot be sent to an invalid run id", async () => {
    const home = await homeIn("home");
    for (const id of ["../x", "", "*", "a/b", "\u001b[2J", "x".repeat(4_000)])
      await expect(sendMessage(home, id, { type: "stop" })).rejects.toThrow("Expected the id of a run");
  });

  test("are not received if the home folder is not writable, and the run continues", async () => {
    const home = resolveHome({ SHEEPDOG_HOME: await file("a-file", "") });
    const problems: string[] = [];
    const { run } = recordingRun();
    receiveMessages(home, run, { onProblem: (problem) => problems.push(problem) })();
    expect(problems).toEqual([expect.stringContaining("This run cannot receive messages from other processes: ")]);
    await expect(sendMessage(home, runId, { type: "stop" })).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});
