import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AgentEvent, AgentEventType } from "@sheepdog/agent";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createRunPort, followLiveEvents } from "../../src/control/index.ts";
import { resolveHome } from "../../src/home.ts";
import { createSandbox, isBuilt, type Sandbox } from "./sandbox.ts";

const push = { calls: [{ tool: "bash", input: { command: "git push" } }] };
const ask = { calls: [{ tool: "ask_user", input: { question: "Which port?" } }] };
const waiting = { calls: [{ tool: "bash", input: { command: "until [ -e go ]; do sleep 0.05; done" } }] };
const done = { text: "Done." };
const remote = ["run", "--answers", "remote"] as const;

/** The port to the runs of a sandbox, and their live events. */
function portOf({ env }: Sandbox) {
  const home = resolveHome(env);
  const events: AgentEvent[] = [];
  onTestFinished(followLiveEvents(home, (batch) => events.push(...batch)));
  const event = <T extends AgentEventType>(type: T) =>
    vi.waitFor(() => {
      const found = events.find((each): each is Extract<AgentEvent, { type: T }> => each.type === type);
      if (found === undefined) throw new Error(`There is no ${type} yet.`);
      return found;
    }, 20_000);
  return { home, events, event, port: createRunPort(home) };
}

describe.skipIf(!isBuilt)("the port to a run of another process", () => {
  test("shows it live and answers what it asks, without a terminal", async (context) => {
    const sandbox = await createSandbox(context, [waiting, push, ask, done]);
    const { port, event, events, home } = portOf(sandbox);
    const running = sandbox.start([...remote, "--session-id", "ses_web", "Push it."]);
    await vi.waitFor(() => expect(existsSync(home.controlDir)).toBe(true), 20_000);
    await pause(1_500); // the run waits in its first call, and is found meanwhile
    await sandbox.file("go", "");
    const { callId, runId, sessionId } = await event("ApprovalRequested");
    expect([sessionId, await port.canReceive(runId)]).toEqual(["ses_web", true]);
    expect(await port.send(runId, { type: "approval", callId, isAllowed: false })).toMatchObject({ type: "applied" });
    const asked = await vi.waitFor(() => {
      const question = events.find((each) => each.type === "ToolStart" && each.tool === "ask_user");
      if (question?.type !== "ToolStart") throw new Error("The agent has not asked yet.");
      return question;
    }, 20_000);
    const reply = { type: "reply", callId: asked.callId, text: "8080" } as const;
    expect(asked).toMatchObject({ tool: "ask_user", input: { question: "Which port?" } });
    expect(await port.send(runId, reply)).toEqual({ type: "applied", message: reply });
    expect(await running.ended).toMatchObject({ code: 0, out: "Done.\n" });
    expect(await event("RunComplete")).toMatchObject({ runId });
    expect(events.some(({ type }) => type === "TextDelta")).toBe(true);
    expect(await port.canReceive(runId)).toBe(false);
    expect(existsSync(join(home.controlDir, runId))).toBe(false);
  });

  test("is closed when the process is killed, and open again when the run is resumed", async (context) => {
    const sandbox = await createSandbox(context, [push, done]);
    const { port, home } = portOf(sandbox);
    const running = sandbox.start([...remote, "--stream-json", "Push it."]);
    await running.says('"ApprovalRequested"');
    const [run] = JSON.parse((await sandbox.run(["runs", "--json"])).out).runs;
    expect(run).toMatchObject({ state: "waiting_for_input" });
    expect(await port.canReceive(run.runId)).toBe(true);
    running.child.kill("SIGKILL");
    await running.ended;
    expect(existsSync(join(home.controlDir, run.runId))).toBe(true);
    expect(await port.canReceive(run.runId)).toBe(false);
    const resumed = sandbox.start([...remote, "--stream-json", "--resume", run.sessionId]);
    await resumed.says('"ApprovalRequested"');
    expect(await port.canReceive(run.runId)).toBe(true);
    expect(await port.send(run.runId, { type: "stop" })).toMatchObject({ type: "applied" });
    expect(await resumed.ended).toMatchObject({ code: 130 });
  });

  test("options that contradict each other are refused", async (context) => {
    const sandbox = await createSandbox(context, [done]);
    for (const args of [
      [...remote, "--unattended", "x"],
      ["run", "--session-id", "ses_1", "--resume", "ses_2", "x"],
      ["run", "--session-id", "ses_1", "--continue", "x"],
      ["run", "--answers", "nobody", "x"],
    ])
      expect(await sandbox.run(args)).toMatchObject({ code: 2 });
    expect((await sandbox.run(["run", "--help"])).out).not.toMatch(/--answers|--session-id/);
  });
});
