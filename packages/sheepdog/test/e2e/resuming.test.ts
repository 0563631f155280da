import { describe, expect, test } from "vitest";
import { createSandbox, isBuilt, type ProcessResult } from "./sandbox.ts";

describe.skipIf(!isBuilt).concurrent("a session can be resumed", () => {
  test("after its process was killed during a call, whose outcome is then unknown", async (context) => {
    const { start, run, server, file } = await createSandbox(context, [
      { calls: [{ tool: "read", input: { path: "a.txt" } }] },
      { calls: [{ tool: "bash", input: { command: "sleep 3" } }] },
      { text: "I looked: it is done." },
    ]);
    await file("a.txt", "The dog is called Rex.");
    const running = start(["run", "--stream-json", "Do it."]);
    await running.says('"input":{"command":"sleep 3"}');
    running.child.kill("SIGKILL");
    const { signal, out } = await running.ended;
    expect(signal).toBe("SIGKILL");
    const { sessionId } = JSON.parse(out.split("\n")[0] ?? "") as { readonly sessionId: string };
    expect(await run(["run", "--resume", sessionId])).toMatchObject({ code: 0, out: "I looked: it is done.\n" });
    const resumed = server.requests[2]?.text;
    for (const text of ["Do it.", "a.txt", "The dog is called Rex.", "sleep 3"]) expect(resumed).toContain(text);
    expect(resumed).toMatch(/outcome|unknown|verify/i);
    expect(server.requests).toHaveLength(3);
  });

  test("with the command that was printed when its turns were used up", async (context) => {
    const { run, file } = await createSandbox(context, [], ({ index }) =>
      index < 3 ? { calls: [{ tool: "read", input: { path: `${index}.txt` } }] } : { text: "Read." },
    );
    for (const name of ["0.txt", "1.txt", "2.txt"]) await file(name, name);
    const stopped = await run(["run", "--max-turns", "2", "Read all of it."]);
    expect(stopped).toMatchObject({ code: 6, out: "" });
    expect(stopped.err).toMatch(/\nsheepdog: .*max_turns.* To resume: sheepdog run --resume ses_\w+ --max-turns 4\n$/);
    expect(await run(commandIn(stopped))).toMatchObject({ code: 0, out: "Read.\n" });
  });

  test("with its limits, and with more than the limit that ended it had to cover", async (context) => {
    const { run } = await createSandbox(context, [], { text: "Done." });
    const stopped = await run([
      "run",
      "--max-run-tokens",
      "10",
      "--max-cost",
      "1",
      "--mode",
      "advise",
      "--unattended",
      "Look.",
    ]);
    expect(stopped.err).toMatch(/ To resume: sheepdog run --resume ses_\w+ --max-run-tokens \d{4,5}\n$/);
    const resumed = await run(commandIn(stopped));
    expect(resumed).toMatchObject({ code: 0, out: "Done.\n" });
    expect(resumed.err).toMatch(/sheepdog: --max-run-tokens \d{4,5} replaces 10 of the run.\n/);
    expect(resumed.err).toMatch(/Continues as the run was started: .*--unattended --mode advise --max-cost 1.00\n/);
  });

  test("after a crash, under the limit that the user had set, unless a flag replaces it", async (context) => {
    const { start, run } = await createSandbox(context, [
      { calls: [{ tool: "glob", input: { pattern: "*" } }] },
      { calls: [{ tool: "bash", input: { command: "sleep 60" } }] },
      { text: "Done." },
    ]);
    const running = start(["run", "--stream-json", "--max-turns", "9", "Do it."]);
    await running.says('"input":{"command":"sleep 60"}');
    const { sessionId, runId } = JSON.parse(running.said().split("\n")[0] ?? "");
    expect(await run(["budget", "raise", runId, "turns", "50"])).toMatchObject({ code: 0 });
    await running.says('"LimitChanged"');
    running.child.kill("SIGKILL");
    await running.ended;
    const { out, code } = await run(["run", "--resume", sessionId, "--max-turns", "7", "--stream-json"]);
    expect(code).toBe(0);
    expect(out).toContain('"turns":{"stop":7}');
    expect(out).not.toContain('"stop":50');
  });

  test("by the id of its last run, as shown by runs", async (context) => {
    const { run } = await createSandbox(context, [], { text: "Done." });
    const ids = [];
    for (const args of [["One."], ["--continue", "Two."]])
      ids.push((JSON.parse((await run(["run", "--json", ...args])).out) as { readonly runId: string }).runId);
    const [first = "", last = ""] = ids;
    expect(await run(["run", "--resume", last.slice(0, 12), "Three."])).toMatchObject({ code: 0, out: "Done.\n" });
    const { code, err } = await run(["run", "--resume", first, "Four."]);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/: it is not the last run of its session; to continue the last one: --resume ses_\w+\n$/),
    ]);
    expect((await run(["run", "--resume", "run_zz", "Five."])).err).toMatch(
      /^sheepdog: --resume run_zz: there is no run or session run_zz/,
    );
  });

  test("with a new prompt, as the newest session of its folder, or as a copy", async (context) => {
    const { run, server } = await createSandbox(context, [], ({ index }) => ({ text: `Answer ${index}.` }));
    const ids = [];
    for (const args of [["One."], ["--continue", "Two."], ["--continue", "--fork", "Three."]]) {
      const { out } = await run(["run", "--json", ...args]);
      ids.push((JSON.parse(out) as { readonly sessionId: string }).sessionId);
    }
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
    expect(server.requests[2]?.text).toContain("Two.");
    const { out } = await run(["run", "--json", "--resume", ids[0] ?? "", "Four."]);
    expect(JSON.parse(out)).toMatchObject({ sessionId: ids[0], text: "Answer 3." });
    expect(server.requests[3]?.text).not.toContain("Three.");
  });

  test("but not without a prompt if its last run is complete", async (context) => {
    const { run } = await createSandbox(context, [{ text: "Done." }]);
    await run(["run", "One."]);
    const { code, out, err } = await run(["run", "--continue"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^sheepdog: the last run of ses_\w+ is complete: add a prompt to continue\n$/);
  });

  test("but not by two processes at once", async (context) => {
    const { start, run } = await createSandbox(context, [
      { calls: [{ tool: "bash", input: { command: "sleep 60" } }] },
    ]);
    const running = start(["run", "--stream-json", "Wait."]);
    await running.says('"ToolStart"');
    const { code, out, err } = await run(["run", "--continue", "And now?"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(
      new RegExp(
        `^sheepdog: the session (ses_\\w+) is in use by process ${running.child.pid} on \\S+: ` +
          "wait until it ends, stop it with sheepdog stop \\1, or use a copy with --fork\\n$",
      ),
    );
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(143);
  });

  test("but not with an unknown id, and a similar id is suggested", async (context) => {
    const { run } = await createSandbox(context, [{ text: "Done." }]);
    const { out } = await run(["run", "--json", "One."]);
    const { sessionId } = JSON.parse(out) as { readonly sessionId: string };
    expect((await run(["run", "--resume", sessionId.slice(0, 9)])).err).toContain(`did you mean ${sessionId}?`);
    for (const id of ["../x", "*", "\u001b[2Jx", "x".repeat(4_096), "", "-x"]) {
      const { code, out: stdout, err } = await run(["run", `--resume=${id}`, "Go."]);
      expect([code, stdout, err.split("\n").length]).toEqual([2, "", 2]);
      expect(err).not.toContain("\u001b");
    }
  });
});

test.skipIf(!isBuilt)(
  "the budget of a month applies across processes: a run after it is spent sends no request",
  async (context) => {
    const { run, server } = await createSandbox(context, [], { text: "Done.", usage: { input: 20_000, output: 0 } });
    const limited = [
      "--set",
      "budget.monthly_limit_cents=22",
      "--set",
      'budget.pricing_overrides={"claude-sonnet-5":{"input":1000,"output":1000}}',
    ];
    expect((await run(["run", ...limited, "One."])).code).toBe(0);
    const { code, out, err } = await run(["run", "--json", ...limited, "Two."]);
    expect(code, err).toBe(4);
    expect(JSON.parse(out)).toMatchObject({
      reason: "month_budget",
      turns: 0,
      resume: expect.stringMatching(/ --set budget\.monthly_limit_cents=\d\d?$/),
    });
    expect(server.requests).toHaveLength(1);
  },
);

/** The arguments of the command that a run prints at its end. */
function commandIn({ err }: ProcessResult): readonly string[] {
  return / To resume: sheepdog (.*)\n$/.exec(err)?.[1]?.split(" ") ?? [];
}
