import { describe, expect, test } from "vitest";
import { createSandbox, isBuilt, type Sandbox } from "./sandbox.ts";

/** A call that runs until the file `go` exists. */
const waiting = { calls: [{ tool: "bash", input: { command: "until [ -e go ]; do sleep 0.05; done" } }] };
const done = { text: "Done." };

async function listedRuns({ run }: Sandbox): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse((await run(["runs", "--json"])).out).runs;
}

describe.skipIf(!isBuilt).concurrent("a run that another process controls", () => {
  test("can get more turns while it is running", async (context) => {
    const sandbox = await createSandbox(context, [waiting, done]);
    const running = sandbox.start(["run", "--stream-json", "--max-turns", "1", "Wait."]);
    await running.says('"ToolStart"');
    expect(await listedRuns(sandbox)).toMatchObject([{ state: "waiting_for_tool", prompt: "Wait.", resume: null }]);
    expect(await sandbox.run(["budget", "raise", "last", "turns", "5"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^run_\w+.* 5 turns.*\n$/),
      err: "",
    });
    await sandbox.file("go", "");
    expect(await running.ended).toMatchObject({ code: 0 });
    const { out } = await sandbox.run(["show", "last"]);
    expect(out).toContain("❯ Wait.");
    expect(out).toMatch(/Done: the agent answered \(2 turns, /);
  });

  test("is cancelled by stop", async (context) => {
    const sandbox = await createSandbox(context, [waiting]);
    const running = sandbox.start(["run", "--stream-json", "Wait."]);
    await running.says('"ToolStart"');
    const stopped = await sandbox.run(["stop", "last"]);
    expect(stopped).toMatchObject({ code: 0, out: expect.stringMatching(/^run_\w+: stopped \(cancelled\)\n$/) });
    expect(stopped.err).toMatch(/^To resume: sheepdog run --resume ses_\w+\n$/);
    expect(await running.ended).toMatchObject({ code: 130 });
    expect(await listedRuns(sandbox)).toMatchObject([{ state: "cancelled", reason: "cancelled" }]);
  });

  test("is interrupted when its process is killed, and continues with the printed command", async (context) => {
    const sandbox = await createSandbox(context, [waiting, done]);
    const running = sandbox.start(["run", "--stream-json", "Wait."]);
    await running.says('"ToolStart"');
    running.child.kill("SIGKILL");
    await running.ended;
    const [run] = await listedRuns(sandbox);
    expect(run).toMatchObject({ state: "broken_off", reason: null, turns: 0 });
    await sandbox.file("go", ""); // ends the orphaned call
    const lastLine = (await sandbox.run(["show", "last"])).out.trimEnd().split("\n").at(-1) ?? "";
    expect(lastLine).toBe(`To resume: ${run?.["resume"]}`);
    expect(await sandbox.run(lastLine.replace("To resume: sheepdog ", "").split(" "))).toMatchObject({
      code: 0,
      out: "Done.\n",
    });
    expect(await listedRuns(sandbox)).toMatchObject([{ state: "completed", runId: run?.["runId"] }]);
  });
});
