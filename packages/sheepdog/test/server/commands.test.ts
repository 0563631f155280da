import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { ControlMessage } from "../../src/control/control-message.ts";
import type { CommandOutcome, RunPort } from "../../src/control/run-port.ts";
import type { Program } from "../../src/run-commands/spawn-run.ts";
import { scratchFolder } from "../scratch-folder.ts";
import { openTestHome } from "../test-home.ts";
import { serveTestHome, startTestServer } from "./test-server.ts";

const file = scratchFolder();

/** A port that answers with the same outcome, and records what it was sent. */
function recordingPort(outcome: (message: ControlMessage) => CommandOutcome) {
  const sent: (readonly [string, ControlMessage])[] = [];
  const port: RunPort = {
    send: async (runId, message) => {
      sent.push([runId, message]);
      return outcome(message);
    },
    canReceive: async () => true,
  };
  return { port, sent };
}

const applied = (message: ControlMessage): CommandOutcome => ({ type: "applied", message });

describe("a command to a run", () => {
  test("is sent in the units of the guardian, and answered with a sentence", async (context) => {
    const { port, sent } = recordingPort(applied);
    const { testHome, post } = await startTestServer(context, await file("home"), { context: { port } });
    const { run, release } = await testHome.startRun("ses_a", "Wait.");
    const result = async (command: object) => (await post(`/api/runs/${run.runId}/command`, command)).json();
    const done = (text: string) => ({ isDone: true, text, runId: run.runId });
    expect(await result({ type: "limit", limit: "run-cost", stop: 2.5 })).toEqual(
      done("The limit of the run's cost is now $2.50."),
    );
    expect(await result({ type: "limit", limit: "time", stop: 90 })).toEqual(done("The time limit is now 1 min 30 s."));
    expect(await result({ type: "limit", limit: "turns", stop: 0 })).toEqual(done("The limit of turns is removed."));
    expect(await result({ type: "steer", text: " look at the tests " })).toEqual(
      done("The agent reads your message before its next turn."),
    );
    expect(await result({ type: "mute", episode: "e1" })).toMatchObject({ isDone: true });
    expect(await result({ type: "approval", callId: "c1", isAllowed: false, reason: "no" })).toEqual(done("Denied."));
    expect(await result({ type: "stop" })).toEqual(done("The run is being stopped."));
    expect(sent).toEqual(
      [
        { type: "limit", limit: "run-cost", stop: 2.5e9 },
        { type: "limit", limit: "time", stop: 90_000 },
        { type: "limit", limit: "turns", stop: 0 },
        { type: "steer", text: "look at the tests" },
        { type: "mute", episode: "e1" },
        { type: "approval", callId: "c1", isAllowed: false, reason: "no" },
        { type: "stop" },
      ].map((message) => [run.runId, message]),
    );
    release();
    await run.result;
  });

  test("does not set another limit than the one that was asked for", async (context) => {
    const { port, sent } = recordingPort(applied);
    const { testHome, post } = await startTestServer(context, await file("home"), { context: { port } });
    const { run, release } = await testHome.startRun("ses_a", "Wait.");
    const text = async (limit: string, stop: number) => {
      const answer = (await post(`/api/runs/${run.runId}/command`, { type: "limit", limit, stop })).json();
      return (answer as { text: string }).text;
    };
    const whole = (what: string) => `The limit was not changed: name a whole number of ${what}; 0 removes the limit.`;
    expect(await text("run-cost", 1e-10)).toBe(
      "The limit was not changed: the smallest amount is $0.001; 0 removes the limit.",
    );
    for (const turns of [0.4, 2.7]) expect(await text("turns", turns)).toBe(whole("turns"));
    expect(await text("run-tokens", 0.2)).toBe(whole("tokens"));
    expect(await text("time", 0.0001)).toBe(whole("seconds"));
    for (const limit of ["run-cost", "turns", "time"])
      expect(await text(limit, 1e300)).toBe("The limit was not changed: the number is too large; 0 removes the limit.");
    expect(sent).toEqual([]);
    expect(await text("run-cost", 0.001)).toBe("The limit of the run's cost is now $0.001.");
    release();
    await run.result;
  });

  test("that was not applied says why", async (context) => {
    let outcome: CommandOutcome = { type: "unanswered" };
    const { port } = recordingPort(() => outcome);
    const { testHome, post } = await startTestServer(context, await file("home"), { context: { port } });
    const { run, release } = await testHome.startRun("ses_a", "Wait.");
    const steer = async () => (await post(`/api/runs/${run.runId}/command`, { type: "steer", text: "x" })).json();
    const failed = (text: string) => ({ isDone: false, text, runId: run.runId });
    expect(await steer()).toEqual(
      failed("The message was not sent: the process of the run did not answer. It hangs, or it takes no commands."),
    );
    outcome = { type: "refused", reason: "it does not fit into the context." };
    expect(await steer()).toEqual(failed("The message was not sent: it does not fit into the context."));
    outcome = { type: "ended" };
    expect(await steer()).toEqual(failed("The message was not sent: the run has ended."));
    release();
    await run.result;
  });

  test("that has ended says when, and that it can be resumed", async (context) => {
    const { testHome, post } = await startTestServer(context, await file("home"));
    const { runId } = await testHome.runPrompt("ses_a", "Go.", [{ calls: [{ tool: "echo", input: { text: "a" } }] }], {
      settings: { maxTurns: 1 },
    });
    const answer = await post(`/api/runs/${runId}/command`, { type: "limit", limit: "turns", stop: 50 });
    expect(answer.json()).toEqual({
      isDone: false,
      text: expect.stringMatching(/^The limit was not changed: the run ended at \d\d:\d\d\. Resume it instead\.$/),
      runId,
    });
  });

  test("of an unknown run, or that is not valid, is refused", async (context) => {
    const { post } = await startTestServer(context, await file("home"));
    expect((await post("/api/runs/run_x/command", { type: "stop" })).status).toBe(404);
    expect((await post("/api/runs/*/command", { type: "stop" })).status).toBe(404);
    expect((await post("/api/runs/run_x/command", { type: "halt" })).json()).toEqual({
      problem: expect.stringMatching(/^The body is not valid\. type: /),
    });
  });

  test("stop-all reaches each live run", async (context) => {
    const { port, sent } = recordingPort(applied);
    const { testHome, post } = await startTestServer(context, await file("home"), { context: { port } });
    const runs = [await testHome.startRun("ses_a", "Wait."), await testHome.startRun("ses_b", "Wait.")];
    expect((await post("/api/stop-all", {})).json()).toEqual({ isDone: true, text: "2 runs stopped.", runId: null });
    expect(sent.map(([runId]) => runId).sort()).toEqual(runs.map(({ run }) => run.runId).sort());
    for (const { run, release } of runs) {
      release();
      await run.result;
    }
  });
});

describe("a run of its own process", () => {
  /** A program in place of `sheepdog`: it writes its arguments and stdin to a file, and does what the script says. */
  async function fakeProgram(script: string): Promise<{ readonly program: Program; arguments(): Promise<unknown> }> {
    const record = await file("arguments.json");
    const path = await file(
      "program.mjs",
      `import { readFileSync, writeFileSync } from "node:fs";
      const stdin = process.argv.at(-1) === "-" ? readFileSync(0, "utf8") : null;
      writeFileSync(${JSON.stringify(record)}, JSON.stringify({ args: process.argv.slice(2), stdin }));
      ${script}`,
    );
    return {
      program: [process.execPath, path],
      arguments: async () => JSON.parse(await readFile(record, "utf8")) as unknown,
    };
  }

  test("that ends before it has begun is reported in its own words", async (context) => {
    const { program, arguments: received } = await fakeProgram(
      'process.stderr.write("sheepdog: no model is configured\\n"); process.exit(2);',
    );
    const workspace = await file("work/x", "").then((path) => path.slice(0, -2));
    const { post } = await startTestServer(context, await file("home"), { program });
    const start = { prompt: "fix it\n`$(id)`", workspace, model: "a:b", maxCostUsd: 1e-7, maxTurns: 0, goal: "--x" };
    expect((await post("/api/runs", start)).json()).toEqual({
      isDone: false,
      text:
        "The run was not started: no model is configured\n" +
        "Set the key in the environment of sheepdog serve, and start the server again.",
      runId: null,
    });
    expect(await received()).toEqual({
      args: [
        ...["run", "--quiet", "--answers", "remote", expect.stringMatching(/^--start-file=/)],
        expect.stringMatching(/^--session-id=ses_\w{16}$/),
        ...[`--cwd=${workspace}`, "--model=a:b", "--max-cost=0.0000001", "--max-turns=0", "--goal=--x", "-"],
      ],
      stdin: start.prompt,
    });
  });

  test("is not started in a folder that does not exist, or with a limit that is none", async (context) => {
    const { post, testHome } = await startTestServer(context, await file("home"));
    const text = async (workspace: string) =>
      ((await post("/api/runs", { prompt: "x", workspace })).json() as { text: string }).text;
    expect(await text("/nowhere/at/all")).toBe("The run was not started: there is no folder /nowhere/at/all.");
    const tiny = { prompt: "x", workspace: testHome.home.dir, maxCostUsd: 1e-12 };
    expect((await post("/api/runs", tiny)).json()).toMatchObject({
      text: "The run was not started: the limit of its cost is less than a billionth of a dollar.",
    });
    expect(await text("work")).toMatch(/^The run was not started: name the folder from the root on/);
  });

  test("is resumed with a higher value of the limit that ended it", async (context) => {
    const { program, arguments: received } = await fakeProgram("process.exit(1);");
    const { testHome, post } = await startTestServer(context, await file("home"), { program });
    const { runId } = await testHome.runPrompt("ses_a", "Go.", [{ calls: [{ tool: "echo", input: { text: "a" } }] }], {
      settings: { maxTurns: 1 },
    });
    expect((await post(`/api/runs/${runId}/resume`, { maxCostUsd: 5 })).json()).toEqual({
      isDone: false,
      text: "The run was not started: its process ended without a word.",
      runId: null,
    });
    const resume = ["--resume=ses_a", `--cwd=${testHome.home.dir}`, "--max-turns", "50", "--max-cost=5"];
    const flags = ["--quiet", "--answers", "remote", expect.stringMatching(/^--start-file=/)];
    expect(await received()).toEqual({ args: ["run", ...flags, ...resume], stdin: null });
  });

  test("that says that it has started is not denied, whatever the database says", async (context) => {
    const { program } = await fakeProgram(`
      const startFile = process.argv.find((argument) => argument.startsWith("--start-file="));
      writeFileSync(startFile.slice("--start-file=".length), "run_1\\n");`);
    const { post, testHome } = await startTestServer(context, await file("home"), { program });
    const start = { prompt: "x", workspace: testHome.home.dir };
    const text = "The run has started. It is not in the database that this server reads.";
    expect((await post("/api/runs", start)).json()).toEqual({ isDone: true, text, runId: "run_1" });
    await testHome.stores.close();
    expect((await post("/api/runs", start)).json()).toEqual({ isDone: true, text, runId: "run_1" });
  });

  test("is resumed once, however often that is asked for at the same time", async (context) => {
    const { program } = await fakeProgram("setTimeout(() => process.exit(1), 300);");
    const { testHome, post } = await startTestServer(context, await file("home"), { program });
    const { runId } = await testHome.runPrompt("ses_a", "Go.", [{ calls: [{ tool: "echo", input: { text: "a" } }] }], {
      settings: { maxTurns: 1 },
    });
    const resume = async () => ((await post(`/api/runs/${runId}/resume`, {})).json() as { text: string }).text;
    expect((await Promise.all([resume(), resume(), resume()])).toSorted()).toEqual([
      "The run was not resumed: it is being resumed already.",
      "The run was not resumed: it is being resumed already.",
      "The run was not started: its process ended without a word.",
    ]);
  });

  test("that is complete or running is not resumed", async (context) => {
    const { testHome, post } = await startTestServer(context, await file("home"));
    const { runId } = await testHome.runPrompt("ses_a", "Say.", [{ text: "Done." }]);
    expect((await post(`/api/runs/${runId}/resume`, {})).json()).toEqual({
      isDone: false,
      text: 'The run was not resumed: its state is "answered". Start a new run instead.',
      runId,
    });
    const { run, release } = await testHome.startRun("ses_b", "Wait.");
    expect((await post(`/api/runs/${run.runId}/resume`, {})).json()).toMatchObject({
      text: "The run was not resumed: it is running.",
    });
    release();
    await run.result;
  });

  test("can be a copy of a session", async (context) => {
    const { testHome, post } = await startTestServer(context, await file("home"));
    const { runId } = await testHome.runPrompt("ses_a", "Say.", [{ text: "Done." }]);
    const { text } = (await post(`/api/runs/${runId}/fork`, {})).json() as { text: string };
    const [, copy = ""] =
      /^The session was copied\. Continue in the copy: sheepdog run --resume (ses_\w+) "…"$/.exec(text) ?? [];
    const [original, copied] = await Promise.all(["ses_a", copy].map((id) => testHome.stores.sessions.load(id)));
    expect(copied?.messages).toEqual(original?.messages);
  });
});

describe("money in the configuration", () => {
  test("budgets and prices are written to the user's file", async (context) => {
    const testHome = await openTestHome(await file("home"));
    context.onTestFinished(() => testHome.close());
    const { configFile } = testHome.home;
    await writeFile(configFile, "# mine\n");
    const { post } = await serveTestHome(context, testHome);
    expect((await post("/api/budgets", { scope: "day", usd: 0.29 })).json()).toEqual({
      isDone: true,
      text: `The day budget is now $0.290 (${configFile}). Runs that are already running keep their limits.`,
      runId: null,
    });
    expect((await post("/api/prices", { model: "my/model", inputUsd: 0.29, outputUsd: 0.57 })).json()).toMatchObject({
      isDone: true,
    });
    expect((await post("/api/budgets", { scope: "day", usd: 1e-10 })).json()).toEqual({
      isDone: false,
      text: "Nothing was changed: the smallest amount is $0.001; 0 removes the limit.",
      runId: null,
    });
    const free = { model: "my/model", inputUsd: 1e-10, outputUsd: 1 };
    expect((await post("/api/prices", free)).json()).toMatchObject({ isDone: false });
    const text = await readFile(configFile, "utf8");
    for (const part of ["# mine", "per_day_limit_cents = 29", "input = 29", "output = 57"])
      expect(text).toMatch(new RegExp(`${part}$`, "m"));
    await writeFile(configFile, "[budget\n");
    expect((await post("/api/budgets", { scope: "day", usd: 1 })).json()).toMatchObject({
      isDone: false,
      text: expect.stringMatching(/^Nothing was changed: .*config\.toml:1/),
    });
  });
});
