import { describe, expect, test } from "vitest";
import { isBuilt, type Sandbox, createSandbox } from "./sandbox.ts";

/** A call that goes on until there is a file. */
const waiting = { calls: [{ tool: "bash", input: { command: "until [ -e go ]; do sleep 0.05; done" } }] };
const done = { text: "Done." };

async function listed({ run }: Sandbox): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse((await run(["runs", "--json"])).out).runs;
}

describe.skipIf(!isBuilt).concurrent("a run that another process looks at", () => {
  test("can be given more turns while it goes on", async (context) => {
    const there = await createSandbox(context, [waiting, done]);
    const going = there.start(["run", "--stream-json", "--max-turns", "1", "Wait."]);
    await going.says('"ToolStart"');
    expect(await listed(there)).toMatchObject([{ state: "waiting_for_tool", prompt: "Wait.", resume: null }]);
    expect(await there.run(["budget", "raise", "last", "turns", "5"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^run_\w+ may take 5 turns in all now\.\n$/),
      err: "",
    });
    await there.file("go", "");
    expect(await going.ended).toMatchObject({ code: 0 });
    const { out } = await there.run(["show", "last"]);
    expect(out).toContain("❯ Wait.");
    expect(out).toMatch(/Done: it answered \(2 turns, /);
  });

  test("ends in good order where it is told to", async (context) => {
    const there = await createSandbox(context, [waiting]);
    const going = there.start(["run", "--stream-json", "Wait."]);
    await going.says('"ToolStart"');
    const stopped = await there.run(["stop", "last"]);
    expect(stopped).toMatchObject({ code: 0, out: expect.stringMatching(/^run_\w+: stopped \(cancelled\)\n$/) });
    expect(stopped.err).toMatch(/^To go on: sheepdog run --resume ses_\w+\n$/);
    expect(await going.ended).toMatchObject({ code: 130 });
    expect(await listed(there)).toMatchObject([{ state: "cancelled", reason: "cancelled" }]);
  });

  test("has broken off where its process was killed, and goes on by the command that is named", async (context) => {
    const there = await createSandbox(context, [waiting, done]);
    const going = there.start(["run", "--stream-json", "Wait."]);
    await going.says('"ToolStart"');
    going.child.kill("SIGKILL");
    await going.ended;
    const [run] = await listed(there);
    expect(run).toMatchObject({ state: "broken_off", reason: null, turns: 0 });
    await there.file("go", ""); // lets the call end that nobody waits for any more
    const told = (await there.run(["show", "last"])).out.trimEnd().split("\n").at(-1) ?? "";
    expect(told).toBe(`To go on: ${run?.["resume"]}`);
    expect(await there.run(told.replace("To go on: sheepdog ", "").split(" "))).toMatchObject({
      code: 0,
      out: "Done.\n",
    });
    expect(await listed(there)).toMatchObject([{ state: "completed", runId: run?.["runId"] }]);
  });
});
