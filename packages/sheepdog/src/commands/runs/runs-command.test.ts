import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunAnswer } from "@sheepdog/agent";
import { describe, expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { echo, heldTool, openTestHome, terminalControls } from "../../../test/test-home.ts";
import { main } from "../../cli.ts";

const file = scratchFolder();
const same = { calls: [{ tool: "stubborn", input: { target: "all" } }] };

async function listed(sheepdog: (...argv: string[]) => Promise<{ out: string }>, ...argv: string[]) {
  return JSON.parse((await sheepdog("runs", "--json", ...argv)).out) as {
    schemaVersion: number;
    runs: Record<string, unknown>[];
  };
}

describe("a list of runs", () => {
  test("has the newest first, with the result, the cost and the guardian's interventions", async () => {
    const { runPrompt, sheepdog, home, close } = await openTestHome(await file("home"));
    await runPrompt("ses_a", "Say hello.", [{ text: "Hello." }]);
    await runPrompt(
      "ses_b",
      "Make all.",
      Array.from({ length: 20 }, () => same),
    );
    const { out, code, err } = await sheepdog("runs");
    const lines = out.trimEnd().split("\n");
    expect([code, err, lines.length]).toEqual([0, "", 3]);
    expect(lines[0]).toMatch(/^WHEN +RUN +STATE +PROMPT +TURNS +COST +GUARDIAN$/);
    expect(lines[1]).toMatch(/^\d\d:\d\d +run_\w{8} +ended: tool failures +Make all\. +8 +\$8\.00 +\d+ up to halt$/);
    expect(lines[2]).toMatch(/^\d\d:\d\d +run_\w{8} +answered +Say hello\. +1 +\$1\.00 +-$/);
    const { schemaVersion, runs } = await listed(sheepdog);
    expect(schemaVersion).toBe(1);
    expect(runs).toMatchObject([
      {
        sessionId: "ses_b",
        state: "error",
        reason: "tool_failures",
        turns: 8,
        costUsd: 8,
        interventions: { highest: "halt" },
        resume: "sheepdog run --resume ses_b",
      },
      {
        sessionId: "ses_a",
        state: "completed",
        reason: "answered",
        prompt: "Say hello.",
        workspace: home.dir,
        model: "scripted",
        parentSessionId: null,
        resume: null,
      },
    ]);
    expect(runs[1]?.["startedAt"]).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    await close();
  });

  test("includes the cost of removed subagents, and no reservation of a running request", async () => {
    const { runPrompt, startRun, sheepdog, stores, close } = await openTestHome(await file("home"));
    const script = [
      { calls: [{ tool: "spawn", input: { task: "Count." } }] },
      { text: "Seven." },
      { text: "There are seven." },
    ];
    expect(await runPrompt("ses_a", "How many?", script, { subagents: true })).toMatchObject({
      costNanoUsd: 2e9,
      costWithSubagentsNanoUsd: 3e9,
    });
    expect((await listed(sheepdog)).runs).toMatchObject([{ costUsd: 3, subagents: [{ costUsd: 1 }] }]);
    expect((await sheepdog("show", "ses_a")).out).toContain(
      "✓ Done: the agent answered (2 turns, $3.00 with its subagents).\n",
    );
    for (const { sessionId } of await stores.sessions.list())
      if (sessionId !== "ses_a") await stores.sessions.remove(sessionId, Date.now());
    expect((await listed(sheepdog)).runs).toMatchObject([{ costUsd: 3, subagents: [] }]);
    const { run, release } = await startRun("ses_b", "Wait.");
    const usage = { input: 9000, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: true };
    await stores.costs.reserve(
      { id: "req_1", sessionId: "ses_b", runId: run.runId, model: "scripted", at: Date.now(), usage, costNanoUsd: 9e9 },
      {},
    );
    expect((await listed(sheepdog)).runs[0]).toMatchObject({ sessionId: "ses_b", costUsd: 1 });
    expect((await sheepdog("budget")).out).toContain("1 request in progress has reserved $9.00.");
    release();
    await run.result;
    await close();
  });

  test("has the earlier runs of a session too, and reports that there are more", async () => {
    const { runPrompt, sheepdog, env, close } = await openTestHome(await file("home"));
    for (const n of [1, 2, 3]) await runPrompt("ses_a", `Say ${n}.`, [{ text: "Said." }]);
    await runPrompt("ses_b", "Say 4.", [{ text: "Said." }]);
    await runPrompt("ses_a", "Say 5.", [{ text: "Said." }]);
    const promptsOf = async (...argv: string[]) => (await listed(sheepdog, ...argv)).runs.map(({ prompt }) => prompt);
    expect(await promptsOf()).toEqual(["Say 5.", "Say 4.", "Say 3.", "Say 2.", "Say 1."]);
    expect(await promptsOf("--limit", "2")).toEqual(["Say 5.", "Say 4."]);
    expect(await promptsOf("--limit", "4")).toEqual(["Say 5.", "Say 4.", "Say 3.", "Say 2."]);
    const io = fakeIo({ env, isTTY: true });
    await main(["runs", "--limit", "2"], io);
    expect(io.err()).toContain("there are more runs; list more with --limit");
    await close();
  });

  test("can be filtered", async () => {
    const { runPrompt, startRun, sheepdog, close, home } = await openTestHome(await file("home"));
    await runPrompt("ses_a", "Say hello.", [{ text: "Hello." }], { workspace: join(home.dir, "elsewhere") });
    await runPrompt(
      "ses_b",
      "Make all.",
      Array.from({ length: 20 }, () => same),
    );
    const { run, release } = await startRun("ses_c", "Wait.");
    const sessionsOf = async (...argv: string[]) =>
      (await listed(sheepdog, ...argv)).runs.map(({ sessionId }) => sessionId);
    expect(await sessionsOf("--state", "running")).toEqual(["ses_c"]);
    expect(await sessionsOf("--state", "waiting")).toEqual(["ses_c"]);
    expect(await sessionsOf("--state", "completed")).toEqual(["ses_a"]);
    expect(await sessionsOf("--state", "stopped")).toEqual(["ses_b"]);
    expect(await sessionsOf("--state", "tool_failures")).toEqual(["ses_b"]);
    expect(await sessionsOf("--state", "broken-off")).toEqual([]);
    expect(await sessionsOf("--workspace")).toEqual(["ses_c", "ses_b"]);
    expect(await sessionsOf("--workspace", "elsewhere")).toEqual(["ses_a"]);
    expect(await sessionsOf("--since", "1h")).toEqual(["ses_c", "ses_b", "ses_a"]);
    expect(await sessionsOf("--since", "2999-01-01")).toEqual([]);
    expect((await sheepdog("runs", "--since", "2999-01-01")).err).toBe("sheepdog: no run matches\n");
    release();
    await run.result;
    await close();
  });

  test("tells apart a running run, one that waits for the user, and one that broke off", async () => {
    const { startRun, runtime, stores, sheepdog, close } = await openTestHome(await file("home"));
    const { run, release } = await startRun("ses_tool", "Wait.");
    let answer = (_: { isAllowed: boolean }) => {};
    const asked = new Promise<void>((resolve) => {
      const approve = () => {
        resolve();
        return new Promise<{ isAllowed: boolean }>((given) => {
          answer = given;
        });
      };
      const script = [same, { text: "Done." }];
      const gate = { decide: async () => ({ tier: 3, decision: "ask", reason: "a test" }) as const };
      void runtime(script, { attended: true, approve, gate }).run("ses_asked", "Ask me.");
    });
    await asked;
    const at = Date.now();
    const claim = await stores.sessions.claim(
      "ses_gone",
      { id: "proc_gone", pid: 2 ** 22 + 1, host: (await import("node:os")).hostname() },
      at,
    );
    if (!claim.ok) throw new Error("Expected the session to be free.");
    const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: false };
    await stores.sessions.commit(claim.lease, {
      at,
      run: { runId: "run_gone", prompt: "Gone.", startedAt: at, state: "running", turns: 0, usage, costNanoUsd: 0 },
    });
    const { runs } = await listed(sheepdog);
    expect(Object.fromEntries(runs.map(({ sessionId, state, resume }) => [sessionId, [state, resume]]))).toEqual({
      ses_tool: ["waiting_for_tool", null],
      ses_asked: ["waiting_for_input", null],
      ses_gone: ["broken_off", "sheepdog run --resume ses_gone"],
    });
    const { out } = await sheepdog("runs");
    for (const words of ["waiting for a tool", "waiting for you", "broken off (can be resumed)"])
      expect(out).toContain(words);
    answer({ isAllowed: false });
    release();
    await run.result;
    await close();
  });

  test("a run that asks how it continues waits for the user, in every list", async () => {
    const { runtime, sheepdog, close } = await openTestHome(await file("home"));
    let answer = (_: RunAnswer) => {};
    const script = [...Array.from({ length: 5 }, () => same), { text: "Done." }];
    let reached = () => {};
    const asked = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const askAboutRun = () => {
      reached();
      return new Promise<RunAnswer>((given) => {
        answer = given;
      });
    };
    const run = runtime(script, { attended: true, askAboutRun }).run("ses_loop", "Make all.");
    await asked;
    expect((await listed(sheepdog)).runs).toMatchObject([{ sessionId: "ses_loop", state: "waiting_for_input" }]);
    expect((await sheepdog("runs")).out).toMatch(/ waiting for you .* 3, asked you\n/);
    expect((await sheepdog("runs", "--state", "waiting")).out).toContain("Make all.");
    expect((await sheepdog("show", "last")).out).toMatch(
      /\nWaiting for you \(.*\)\.\nAnswer it in the terminal in which it was started\.\nTo stop it: /,
    );
    expect((await sheepdog("budget")).out).toMatch(/RUNNING NOW\nrun_\w{8} {2}waiting for you {2}/);
    answer({ type: "tell", text: "Look into src." });
    await run.result;
    expect((await sheepdog("runs")).out).toMatch(/ answered .* 3, asked you\n/);
    const { out } = await sheepdog("show", "last");
    expect(out).toContain("Sent to the agent: Look into src.");
    expect(out).not.toMatch(/muted|recovered|lets this repetition/i);
    await close();
  });

  test("while calls of a turn run, a refused call of that turn does not wait for the user", async () => {
    const { runtime, sheepdog, close } = await openTestHome(await file("home"));
    const held = heldTool("held");
    const gate = {
      decide: async ({ tool }: { readonly tool: string }) =>
        ({ tier: 3, decision: tool === "held" ? "allow" : "ask", reason: "a test" }) as const,
    };
    const both = { calls: ["echo", "held"].map((tool) => ({ tool, input: { text: "a" } })) };
    const run = runtime([both, { text: "Done." }], {
      attended: true,
      approve: async () => ({ isAllowed: false }),
      gate,
      tools: [held.tool, echo],
    }).run("ses_both", "Do both.");
    await held.reached;
    expect((await listed(sheepdog)).runs).toMatchObject([{ state: "waiting_for_tool" }]);
    held.release();
    await run.result;
    await close();
  });

  test("shows subagents below their parent with --all, and includes their cost", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    const script = [
      { calls: [{ tool: "spawn", input: { task: "Count the sheep." } }] },
      { text: "Seven." },
      { text: "There are seven." },
    ];
    await runPrompt("ses_a", "How many sheep?", script, { subagents: true });
    const { runs } = await listed(sheepdog);
    expect(runs).toMatchObject([
      {
        sessionId: "ses_a",
        costUsd: 3,
        subagents: [{ prompt: "Count the sheep.", parentSessionId: "ses_a", costUsd: 1, resume: null }],
      },
    ]);
    expect((await sheepdog("runs")).out).not.toContain("Count the sheep.");
    const lines = (await sheepdog("runs", "--all")).out.split("\n");
    expect([lines[1], lines[2]]).toEqual([
      expect.stringContaining("How many sheep?"),
      expect.stringMatching(/^ +run_\w+ +answered +└ Count the sheep\./),
    ]);
    await close();
  });

  test("prints no terminal control sequence", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    await runPrompt("ses_a", "\u001b]0;owned\u0007\u001b[2Jhello\u009b31m\u202eworld\nline two", [{ text: "Hello." }]);
    const { out } = await sheepdog("runs");
    expect(out).toContain("hello");
    expect(out).not.toMatch(terminalControls);
    const json = (await sheepdog("runs", "--json")).out;
    expect(json).not.toMatch(terminalControls);
    expect(JSON.parse(json).runs[0].prompt).toContain("\u202eworld");
    await close();
  });

  test("in 80 columns, leaves a column out only if the rows do not fit with a prompt of 30 columns", async () => {
    const { runPrompt, env, close } = await openTestHome(await file("home"));
    const lines = async (columns = 80) => {
      const io = fakeIo({ env: { ...env, NO_COLOR: "1" }, isTTY: true, columns });
      await main(["runs"], io);
      return io.out().split("\n");
    };
    const loop = Array.from({ length: 20 }, () => same);
    await runPrompt("ses_a", "Make all.", loop);
    expect((await lines())[0]).toMatch(/^WHEN +RUN +STATE +PROMPT +TURNS +COST +GUARDIAN$/);
    await runPrompt("ses_b", "Find out why the parser drops the last line of a file and mend it.", loop);
    const [head, line] = await lines();
    expect(head).toMatch(/^WHEN +RUN +STATE +PROMPT +TURNS +COST$/);
    expect(line).toMatch(/^\d\d:\d\d {2}run_\w{8} {2}tool failures {2}Find out why the parser drops… {6}8 {2}\$8\.00$/);
    expect((await lines(79))[0]).toMatch(/^WHEN +RUN +STATE +PROMPT +COST$/);
    await close();
  });

  test("marks the runs of the demo, for which nothing was paid", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    await runPrompt("ses_demo_x_1", "Say hello.", [{ text: "Hello." }]);
    expect((await sheepdog("runs")).out).toMatch(/ demo: Say hello\. +1 +demo /);
    expect((await listed(sheepdog)).runs).toMatchObject([{ isDemo: true, costUsd: 0 }]);
    expect((await sheepdog("show", "last")).out).toContain("a demo, nothing was paid for it");
    await close();
  });

  test("fits into a narrow terminal", async () => {
    const { runPrompt, env, close } = await openTestHome(await file("home"));
    await runPrompt("ses_a", "羊飼い ".repeat(200), [{ text: "Hello." }]);
    const { widthOf } = await import("../../render/terminal/width.ts");
    for (const columns of [40, 80, 200]) {
      const io = fakeIo({ env, isTTY: true, columns });
      await main(["runs"], io);
      const plain = io.out().replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g"), "");
      expect(Math.max(...plain.split("\n").map(widthOf))).toBeLessThanOrEqual(columns);
    }
    await close();
  });
});

describe("without any saved run", () => {
  test.each([["runs"], ["cost"], ["budget"], ["memory", "list"], ["memory", "search", "sheep"]])(
    "%s says so, and makes no file",
    async (...argv) => {
      const folder = await file("none/at/all");
      const io = fakeIo({ env: { SHEEPDOG_HOME: folder } });
      expect(await main(argv, io)).toBe(0);
      expect(existsSync(folder)).toBe(false);
    },
  );

  test("prints a sentence, or an empty list", async () => {
    const env = { SHEEPDOG_HOME: await file("none") };
    const [words, json] = [fakeIo({ env }), fakeIo({ env })];
    await main(["runs"], words);
    await main(["runs", "--json"], json);
    expect([words.out(), words.err()]).toEqual([
      "",
      'sheepdog: there are no runs yet; start one with: sheepdog run "…" (or, without a key: sheepdog demo)\n',
    ]);
    expect(JSON.parse(json.out())).toEqual({ schemaVersion: 1, runs: [] });
  });
});

describe("invalid options", () => {
  test.each([
    [["runs", "--limit", "many"], '--limit is "many"; it must be a whole number above 0'],
    [["runs", "--limit", "0"], "--limit"],
    [["runs", "--since", "yesterday"], '--since is "yesterday"; it must be'],
    [["runs", "--since", "2026-02-31"], "--since"],
    [["runs", "--state", "asleep"], '--state is "asleep"; it must be'],
    [["runs", "--state", "\u001b[2J__proto__"], '--state is "__proto__"; it must be'],
    [["cost", "--by", "moon"], '--by is "moon"; choose day'],
    [["cost", "--since", "moon"], '--since is "moon"'],
  ])("%j is a usage error", async (argv, sentence) => {
    const io = fakeIo({ env: { SHEEPDOG_HOME: await file("none") } });
    expect([await main(argv, io), io.out()]).toEqual([2, ""]);
    expect(io.err()).toContain(sentence);
  });

  test.each(["runs", "cost", "budget", "show last", "stop last", "memory list", "prune --yes"])(
    "%s ends with 2 if the configuration is invalid",
    async (command) => {
      const folder = await file("broken");
      await mkdir(folder);
      await writeFile(join(folder, "config.toml"), "[agent]\nmax_turn = 3\n");
      const io = fakeIo({ env: { SHEEPDOG_HOME: folder } });
      expect([await main(command.split(" "), io), io.out()]).toEqual([2, ""]);
      expect(io.err()).toContain("max_turns");
    },
  );

  test.each(["runs", "cost", "budget", "show last", "memory list", "prune --yes"])(
    "%s ends with 1 and a sentence if the database cannot be opened",
    async (command) => {
      const folder = await file("odd");
      await mkdir(join(folder, "sheepdog.db"), { recursive: true });
      const io = fakeIo({ env: { SHEEPDOG_HOME: folder } });
      expect([await main(command.split(" "), io), io.out()]).toEqual([1, ""]);
      expect(io.err()).toMatch(/^sheepdog: The database .* cannot be used: it is not a file\.\n$/);
    },
  );
});
