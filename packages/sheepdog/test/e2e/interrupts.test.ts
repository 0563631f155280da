import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { isBuilt, createSandbox } from "./sandbox.ts";

/** Ways to ask a process to end, and what it ends with then. */
const ways = [
  { title: "Ctrl-C once", signals: ["SIGINT"], code: 130 },
  { title: "Ctrl-C twice", signals: ["SIGINT", "SIGINT"], code: 130 },
  { title: "SIGTERM", signals: ["SIGTERM"], code: 143 },
  { title: "a terminal that is closed", signals: ["SIGHUP"], code: 143 },
] as const;

describe.skipIf(!isBuilt).concurrent("a run with a call that hangs is ended", () => {
  test.for(ways)("by $title, and leaves no process", async ({ signals, code }, context) => {
    const mark = `60.${Math.floor(Math.random() * 1e9)}`;
    const { start } = await createSandbox(context, [{ calls: [{ tool: "bash", input: { command: `sleep ${mark}` } }] }]);
    const going = start(["run", "--stream-json", "Wait."]);
    await going.says('"ToolStart"');
    await vi.waitFor(() => expect(isRunning(mark)).toBe(true), { timeout: 10_000, interval: 20 });
    for (const signal of signals) going.child.kill(signal);
    const ended = await going.ended;
    expect(ended.code).toBe(code);
    expect(isRunning(mark)).toBe(false);
    if (signals.length > 1) return;
    expect(ended.err).toContain("sheepdog: ending in good order; Ctrl-C again ends now\n");
    expect(ended.err).toMatch(/cancelled.* Go on: sheepdog run --resume ses_\w+\n$/);
    expect(JSON.parse(ended.out.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      type: "Result",
      reason: "cancelled",
      exitCode: code,
    });
  });
});

test.skipIf(!isBuilt)(
  "Ctrl-C again, while processes that do not listen are still being ended, leaves none of them either",
  async (context) => {
    const mark = `60.${Math.floor(Math.random() * 1e9)}`;
    const { start, file } = await createSandbox(context, [{ calls: [{ tool: "bash", input: { command: "npm test" } }] }]);
    await file("package.json", '{ "scripts": { "test": "sh deaf.sh" } }');
    await file("deaf.sh", `trap "" TERM INT HUP\nsleep ${mark}\nsleep ${mark}\n`);
    const going = start(["run", "--stream-json", "Wait."]);
    await vi.waitFor(() => expect(isRunning(mark)).toBe(true), { timeout: 20_000, interval: 20 });
    going.child.kill("SIGINT");
    await going.says('"Result"');
    going.child.kill("SIGINT");
    expect(await going.ended).toMatchObject({ code: 130, signal: null });
    expect(isRunning(mark)).toBe(false);
  },
);

test.skipIf(!isBuilt)("a run that waits for the model is ended at once", async (context) => {
  const { start, server } = await createSandbox(context, [{ text: "I think", fault: { type: "silence" } }]);
  const going = start(["run", "--stream-json", "Think."]);
  await going.says('"TextDelta"');
  going.child.kill("SIGINT");
  expect((await going.ended).code).toBe(130);
  expect(await server.requests[0]?.outcome).toBe("left");
});

test.skipIf(!isBuilt)("a process that breaks tells why and how to go on, and leaves no process", async (context) => {
  const mark = `60.${Math.floor(Math.random() * 1e9)}`;
  const { start, run } = await createSandbox(context, [
    { calls: [{ tool: "bash", input: { command: `sleep ${mark}` } }] },
    { text: "Done." },
  ]);
  const breaks = "data:text/javascript,process.on('SIGUSR2',()=>{throw(new(Error)('boom'))})";
  const going = start(["run", "--stream-json", "Wait."], { env: { NODE_OPTIONS: `--import=${breaks}` } });
  await going.says('"ToolStart"');
  await vi.waitFor(() => expect(isRunning(mark)).toBe(true), { timeout: 10_000, interval: 20 });
  going.child.kill("SIGUSR2");
  const { code, out, err } = await going.ended;
  expect([code, isRunning(mark)]).toEqual([1, false]);
  expect(JSON.parse(out.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    type: "Result",
    reason: "internal_error",
    exitCode: 1,
    problem: "boom",
  });
  const [, sessionId = ""] =
    /^sheepdog: something broke: boom\. Go on: sheepdog run --resume (ses_\w+)\n$/.exec(err) ?? [];
  expect(await run(["run", "--resume", sessionId])).toMatchObject({ code: 0, out: "Done.\n" });
});

function isRunning(mark: string): boolean {
  return readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && argumentsOf(pid).includes(mark));
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // it ended meanwhile
  }
}
