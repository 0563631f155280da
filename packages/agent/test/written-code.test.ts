import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate, ok, type RuntimeOptions, type Tool } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { expect, onTestFinished, test } from "vitest";
import { done, tool } from "./fault-fixture.ts";
import { testAgent } from "./test-agent.ts";

const builtin = (name: string, run: Tool["run"]): Tool => ({
  ...tool(name, name === "write" ? "mutate" : "unknown", async (input, context) => run(input, context)),
  origin: "builtin",
});
/** Tools with the names of the built-in ones that do nothing. */
const tools: readonly Tool[] = [builtin("write", () => ok("written")), builtin("bash", () => ok("ran"))];

const write = (path: string) => ({ tool: "write", input: { path, content: "x" } });
const bash = (command: string) => ({ tool: "bash", input: { command } });
type Call = ReturnType<typeof write> | ReturnType<typeof bash>;

function workspaceFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "written-code-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Runs one reply for each list of calls; returns the decisions about `bash`, with the reasons. */
async function decisions(replies: readonly (readonly Call[])[], options: Partial<RuntimeOptions> = {}) {
  const script = [...replies.map((calls) => ({ calls: [...calls] })), done];
  const { run, events } = testAgent(scriptedModel(script), tools, {
    workspace: workspaceFolder(),
    gate: createGate({ attended: false }),
    ...options,
  });
  await run();
  return events.flatMap((event) =>
    event.type === "GateDecision" && event.tool === "bash" ? [`${event.decision}: ${event.reason}`] : [],
  );
}

const denied = expect.stringMatching(/^deny: x\.js was written in this session/);
const allowed = expect.stringMatching(/^allow: /);

test("code that the agent wrote with a tool or a command is known to the gate", async () => {
  expect(await decisions([[bash("node x.js")], [write("x.js")], [bash("node x.js")]])).toEqual([allowed, denied]);
  expect(await decisions([[bash("echo 1 > x.js")], [bash("node x.js")]])).toEqual([allowed, denied]);
  expect(await decisions([[bash("cd sub && echo 1 > y.js")], [bash("cd sub && node y.js")]])).toEqual([
    allowed,
    expect.stringMatching(/^deny: sub\/y\.js was written/),
  ]);
});

test("code that is written by an earlier call of the same reply counts", async () => {
  expect(await decisions([[write("x.js"), bash("node x.js")]])).toEqual([denied]);
  expect(await decisions([[bash("node x.js"), write("x.js")]])).toEqual([allowed]); // it runs before it is written
});

test("files that a command copies, moves or matches are known by their new names", async () => {
  const workspace = workspaceFolder();
  for (const folder of ["lib", "src"]) mkdirSync(join(workspace, folder));
  writeFileSync(join(workspace, "src", "b.js"), "");
  const isDenied = async (first: string, second: string) => {
    const [, decision] = await decisions([[bash(first)], [bash(second)]], { workspace });
    return decision?.startsWith("deny: ");
  };
  expect(await isDenied("cp a.txt lib/", "node lib/a.txt")).toBe(true);
  expect(await isDenied("mv x.js lib", "node lib/x.js")).toBe(true);
  expect(await isDenied("sed -i s/a/b/ src/*.js", "node src/b.js")).toBe(true);
  expect(await isDenied("mkdir new && cp -r src new/src", "node new/src/b.js")).toBe(true);
  expect(await isDenied("cp a.txt lib/", "node lib/other.js")).toBe(false);
});

test("what a command writes is known as it was decided, whatever the command changed", async () => {
  const workspace = workspaceFolder();
  mkdirSync(join(workspace, "lib"));
  symlinkSync("lib", join(workspace, "link"));
  const unlinking = tools.map((each) => ({
    ...each,
    run: () => {
      rmSync(join(workspace, "link"), { force: true });
      return ok("ran");
    },
  }));
  const replies = [[bash("echo 1 > link/x.js")], [bash("node lib/x.js")]];
  expect(await decisions(replies, { workspace, tools: unlinking })).toEqual([
    allowed,
    expect.stringMatching(/^deny: lib\/x\.js was written/),
  ]);
});

test("a write that was refused does not count", async () => {
  const gate = createGate({ attended: false, rules: [{ tool: "write", decision: "deny" }] });
  expect(await decisions([[write("x.js")], [bash("node x.js")]], { gate })).toEqual([allowed]);
});

test("a sandbox, or a git workspace, lets the code run", async () => {
  const replies = [[write("x.js")], [bash("node x.js")]];
  const sandboxed = tools.map((each) => ({ ...each, isSandboxed: each.name === "bash" }));
  expect(await decisions(replies, { tools: sandboxed })).toEqual([
    "allow: Runs the project's own code in the workspace. x.js was written in this session.",
  ]);
  const workspace = workspaceFolder();
  mkdirSync(join(workspace, ".git"));
  expect(await decisions(replies, { workspace })).toEqual([allowed]);
});

test("a later run of the session knows the files of the earlier one", async () => {
  const script = [{ calls: [write("x.js")] }, done, { calls: [bash("node x.js")] }, done];
  const { run, events } = testAgent(scriptedModel(script), tools, {
    workspace: workspaceFolder(),
    gate: createGate({ attended: false }),
  });
  await run();
  await run();
  expect(events.flatMap((event) => (event.type === "ToolBlocked" ? [event.message] : []))).toEqual([
    expect.stringMatching(/^Not run: x\.js was written in this session/),
  ]);
});
