import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { createSandbox, isBuilt } from "./sandbox.ts";

/** Signals that ask a process to end, and its exit code. */
const interrupts = [
  { title: "Ctrl-C once", signals: ["SIGINT"], code: 130 },
  { title: "Ctrl-C twice", signals: ["SIGINT", "SIGINT"], code: 130 },
  { title: "SIGTERM", signals: ["SIGTERM"], code: 143 },
  { title: "a closed terminal", signals: ["SIGHUP"], code: 143 },
] as const;

describe.skipIf(!isBuilt).concurrent("a run with a hanging call ends", () => {
  test.for(interrupts)("after $title, and leaves no process", async ({ signals, code }, context) => {
    const mark = `60.${Math.floor(Math.random() * 1e9)}`;
    const { start } = await createSandbox(context, [
      { calls: [{ tool: "bash", input: { command: `sleep ${mark}` } }] },
    ]);
    const running = start(["run", "--stream-json", "Wait."]);
    await running.says('"ToolStart"');
    await vi.waitFor(() => expect(isRunning(mark)).toBe(true), { timeout: 10_000, interval: 20 });
    for (const signal of signals) running.child.kill(signal);
    const ended = await running.ended;
    expect(ended.code).toBe(code);
    expect(isRunning(mark)).toBe(false);
    if (signals.length > 1) return;
    expect(ended.err).toContain("sheepdog: stopping the run; press Ctrl-C again to exit now\n");
    expect(ended.err).toMatch(/cancelled.* To resume: sheepdog run --resume ses_\w+\n$/);
    expect(JSON.parse(ended.out.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      type: "Result",
      reason: "cancelled",
      exitCode: code,
    });
  });
});

test.skipIf(!isBuilt)("a second Ctrl-C leaves no process, even if the processes ignore signals", async (context) => {
  const mark = `60.${Math.floor(Math.random() * 1e9)}`;
  const { start, file } = await createSandbox(context, [{ calls: [{ tool: "bash", input: { command: "npm test" } }] }]);
  await file("package.json", '{ "scripts": { "test": "sh deaf.sh" } }');
  await file("deaf.sh", `trap "" TERM INT HUP\nsleep ${mark}\nsleep ${mark}\n`);
  const running = start(["run", "--stream-json", "Wait."]);
  await vi.waitFor(() => expect(isRunning(mark)).toBe(true), { timeout: 20_000, interval: 20 });
  running.child.kill("SIGINT");
  await running.says('"Result"');
  running.child.kill("SIGINT");
  expect(await running.ended).toMatchObject({ code: 130, signal: null });
  expect(isRunning(mark)).toBe(false);
});

test.skipIf(!isBuilt)("a run that waits for the model ends at once", async (context) => {
  const { start, server } = await createSandbox(context, [{ text: "I think", fault: { type: "silence" } }]);
  const running = start(["run", "--stream-json", "Think."]);
  await running.says('"TextDelta"');
  running.child.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  expect(await server.requests[0]?.outcome).toBe("left");
});

test.skipIf(!isBuilt)("a crash reports why and how to continue, and leaves no process", async (context) => {
  const mark = `60.${Math.floor(Math.random() * 1e9)}`;
  const { start, run } = await createSandbox(context, [
    { calls: [{ tool: "bash", input: { command: `sleep ${mark}` } }] },
    { text: "Done." },
  ]);
  const throwOnSignal = "data:text/javascript,process.on('SIGUSR2',()=>{throw(new(Error)('boom'))})";
  const running = start(["run", "--stream-json", "Wait."], { env: { NODE_OPTIONS: `--import=${throwOnSignal}` } });
  await running.says('"ToolStart"');
  await vi.waitFor(() => expect(isRunning(mark)).toBe(true), { timeout: 10_000, interval: 20 });
  running.child.kill("SIGUSR2");
  const { code, out, err } = await running.ended;
  expect([code, isRunning(mark)]).toEqual([1, false]);
  expect(JSON.parse(out.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    type: "Result",
    reason: "internal_error",
    exitCode: 1,
    problem: "boom",
  });
  const [, sessionId = ""] =
    /^sheepdog: internal error: boom\. To resume: sheepdog run --resume (ses_\w+)\n$/m.exec(err) ?? [];
  expect(await run(["run", "--resume", sessionId])).toMatchObject({ code: 0, out: "Done.\n" });
});

function isRunning(mark: string): boolean {
  return readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && argumentsOf(pid).includes(mark));
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // the process has ended
  }
}
