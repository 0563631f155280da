import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { defineTool, ok } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome, terminalControls } from "../../../test/test-home.ts";
import { main } from "../../cli.ts";
import { widthOf } from "../../render/terminal/width.ts";

const file = scratchFolder();
const same = { calls: [{ tool: "stubborn", input: { target: "all" } }] };
const other = (text: string) => ({ calls: [{ tool: "echo", input: { text } }] });

describe("sheepdog show", () => {
  test("without a run of its own, last says how those of other agents are found", async () => {
    const io = fakeIo({ env: { HOME: await file("empty-home") } });
    expect([await main(["show", "last"], io), io.err()]).toEqual([
      2,
      "sheepdog: there are no runs yet; those of other agents have ids, which this prints: sheepdog analyze\n",
    ]);
  });

  test("breaks its first lines between facts", async () => {
    const { runPrompt, env, close } = await openTestHome(await file("home"));
    await runPrompt("ses_a", "Go.", [{ text: "Done." }]);
    const io = fakeIo({ env: { ...env, NO_COLOR: "1" }, isTTY: true, columns: 60 });
    await main(["show", "ses_a"], io);
    const head = io.out().slice(0, io.out().indexOf("\n\n"));
    expect(head).toMatch(/^run run_\w+ · session ses_a · scripted\n/);
    expect(head).toMatch(/started \S+ \S+(?:\n| · )took \d\.\d s$/); // where it breaks depends on the folder
    expect(head).not.toMatch(/·$/m);
    await close();
  });

  test("shows a run from its prompt to its end, with repeated calls collapsed and the cost of each turn", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    await runPrompt("ses_a", "Make all.", [
      { text: "I look first.", ...other("a") },
      same,
      same,
      same,
      other("b"),
      { thinking: "Hm.", text: "It cannot be made." },
    ]);
    const { code, out, err } = await sheepdog("show", "ses_a");
    expect([code, err]).toEqual([0, ""]);
    const lines = out.split("\n");
    expect(lines[0]).toMatch(/^run run_\w+ · session ses_a · scripted · .* · started \d{4}-.* · took /);
    const shown = out.slice(out.indexOf("❯")).replaceAll(/\d+\.\d s/g, "0.0 s");
    expect(shown.split("\n").filter((line) => !line.startsWith("  ┃"))).toEqual([
      "❯ Make all.",
      "",
      "turn 1 · $1.00",
      "I look first.",
      "  echo a  ✓ 0.0 s",
      "    a",
      "",
      "turns 2–4 · $3.00",
      "  stubborn all  ✗ 0.0 s  ×3",
      "    no rule to make target 'all'",
      "",
      "turn 5 · $1.00",
      "  echo b  ✓ 0.0 s",
      "    b",
      "",
      "turn 6 · $1.00",
      "It cannot be made.",
      "",
      "✓ Done: the agent answered (6 turns, $6.00).",
      "",
    ]);
    expect(shown).toContain("'all'\n  ┃ sheepdog: hint (failing-call, 3 times)\n");
    expect(shown).toContain("  ┃ Followed: the next call was different.\n");
    const full = (await sheepdog("show", "ses_a", "--full")).out;
    expect(full.match(/stubborn all {2}✗/g)).toHaveLength(3);
    expect(full).toContain("  Hm.");
    expect(full).toContain("call 2  stubborn all");
    await close();
  });

  test("shows which interventions were not followed, which calls were refused, and how to continue", async () => {
    const { runPrompt, sheepdog, close, stores } = await openTestHome(await file("home"));
    await runPrompt(
      "ses_a",
      "Make all.",
      Array.from({ length: 20 }, () => same),
    );
    const { out } = await sheepdog("show", "last");
    expect(out).toContain("┃ Not followed: the agent repeated the call, or nearly the same call.");
    expect(out).toMatch(/turns 6–8 · \$3\.00\n {2}stubborn all {2}✗ refused by the guardian {2}×3\n/);
    expect((await sheepdog("show", "last", "--full")).out.match(/✗ refused by the guardian/g)).toHaveLength(3);
    expect(out).toContain("✗ Ended: the same calls kept failing (tool_failures; 8 turns, $8.00).");
    expect(out.trimEnd().split("\n").at(-1)).toBe("To resume: sheepdog run --resume ses_a");
    const document = JSON.parse((await sheepdog("show", "last", "--json")).out);
    const { messages } = await stores.sessions.load("ses_a");
    expect(document).toMatchObject({
      schemaVersion: 1,
      run: { sessionId: "ses_a", reason: "tool_failures", costUsd: 8, resume: "sheepdog run --resume ses_a" },
    });
    expect(document.turns).toEqual(Array.from({ length: 8 }, (_, turn) => ({ turn, costUsd: 1 })));
    const calls = document.items.filter(({ type }: { type: string }) => type === "call");
    expect(calls).toHaveLength(messages.filter(({ role }) => role === "tool").length);
    expect(calls.every(({ input }: { input: unknown }) => JSON.stringify(input) === '{"target":"all"}')).toBe(true);
    const guardian = document.items.filter(({ type }: { type: string }) => type === "guardian");
    expect(guardian[0]).toMatchObject({
      intervention: { level: "hint", evidence: [0, 1, 2] },
      followed: false,
      recovered: false,
    });
    expect(guardian.at(-1)).toMatchObject({ intervention: { level: "halt" }, followed: null });
    expect(document.items.at(-1)).toMatchObject({ type: "end", reason: "tool_failures", exitCode: 5, costUsd: 8 });
    await close();
  });

  test("says when the folder of a run is gone, and that another one must be named", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    const workspace = await file("there/a", "").then(dirname);
    await runPrompt("ses_a", "Go.", [other("a")], { workspace, settings: { maxTurns: 1 } });
    expect((await sheepdog("show", "last")).out).toContain("To resume: sheepdog run --resume ses_a --max-turns 50\n");
    await rm(workspace, { recursive: true });
    expect((await sheepdog("show", "last")).out).toContain(
      "To resume in another folder, because its own no longer exists: sheepdog run --resume ses_a --cwd <folder>\n",
    );
    expect(JSON.parse((await sheepdog("runs", "--json")).out).runs).toMatchObject([{ resume: null }]);
    await close();
  });

  test("shows a second opinion at the calls that it was asked about, and why it was asked", async () => {
    const { runtime, sheepdog, close } = await openTestHome(await file("home"));
    const model = scriptedModel([], {
      afterLast: same,
      opinion: { text: '{"verdict":"stuck","advice":"Read the makefile."}' },
    });
    const policy = { ...defaultPolicy, secondOpinion: "before-force" } as const;
    await runtime([], { models: [model], policy, price: () => 1_000 }).run("ses_a", "Make all.").result;
    const { out } = await sheepdog("show", "ses_a");
    expect(out).toContain('\n  second opinion: stuck, "Read the makefile."\n');
    expect((await sheepdog("show", "ses_a", "--full")).out).toContain("asked about: ");
    const { items } = JSON.parse((await sheepdog("show", "ses_a", "--json")).out);
    const index = items.findIndex(({ type }: { type: string }) => type === "opinion");
    expect(items[index]).toMatchObject({ turn: 3, verdict: "stuck", advice: "Read the makefile.", costUsd: 0.000001 });
    expect(items[index - 1]).toMatchObject({ type: "guardian", intervention: { level: "warn" } });
    await close();
  });

  test("shows that the run recovered", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    await runPrompt("ses_a", "Make all.", [
      same,
      same,
      same,
      ...["a", "b", "c", "d", "e", "f"].map(other),
      { text: "Done." },
    ]);
    const { out } = await sheepdog("show", "last");
    expect(out).toContain("Followed: the next call was different, and the run recovered.");
    expect(out).toContain("sheepdog: recovered");
    await close();
  });

  test("shows one of several runs of a session", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    const first = await runPrompt("ses_a", "One.", [other("first"), { text: "First done." }]);
    await runPrompt("ses_a", "Two.", [other("second"), { text: "Second done." }]);
    const [one, two] = [(await sheepdog("show", first.runId)).out, (await sheepdog("show", "ses_a")).out];
    expect([one.includes("First done."), one.includes("Second done."), one.includes("echo second")]).toEqual([
      true,
      false,
      false,
    ]);
    expect([two.includes("Second done."), two.includes("First done."), two.includes("echo first")]).toEqual([
      true,
      false,
      false,
    ]);
    await close();
  });

  test("shows a run that is still running, and how to stop it", async () => {
    const { startRun, sheepdog, close } = await openTestHome(await file("home"));
    const { run, release } = await startRun("ses_a", "Wait.");
    const { out } = await sheepdog("show", "ses_a");
    expect(out).toContain("❯ Wait.");
    expect(out).toMatch(/\n {2}wait {2}…\n/);
    expect(out).toMatch(/\nWaiting for a tool \(0 turns, .*\)\.\nTo stop it: sheepdog stop run_\w+\n$/);
    release();
    await run.result;
    await close();
  });

  test("prints no control sequences of a model, tool or prompt, and fits into the terminal", async () => {
    const { runPrompt, sheepdog, env, close } = await openTestHome(await file("home"));
    const hostile = "\u001b]52;c;aGk=\u0007\u001b[2J\u009b31m\u0090q\u009c\u202eevil\u2066\u200b ";
    const script = [
      { thinking: hostile, text: `${hostile}${"羊".repeat(300)}`, ...other(hostile.repeat(20_000)) },
      { calls: [{ tool: `x${hostile}`, input: { [hostile]: hostile } }] },
      { text: hostile },
    ];
    await runPrompt("ses_a", `Go. ${hostile}`, script);
    for (const argv of [
      ["show", "last"],
      ["show", "last", "--full"],
    ]) {
      expect((await sheepdog(...argv)).out).not.toMatch(terminalControls);
      const io = fakeIo({ env: { ...env, NO_COLOR: "1" }, isTTY: true, columns: 40 });
      await main(argv, io);
      expect(Math.max(...io.out().split("\n").map(widthOf))).toBeLessThanOrEqual(40);
    }
    const json = (await sheepdog("show", "last", "--json")).out;
    expect(json).not.toMatch(terminalControls);
    expect(
      JSON.parse(json).items.some(
        ({ type, text }: { type: string; text?: string }) => type === "text" && text?.includes("\u202eevil"),
      ),
    ).toBe(true);
    await close();
  });

  test("shortens a very long answer, says how to see all of it, and never cuts why the run ended", async () => {
    const { runPrompt, sheepdog, env, close } = await openTestHome(await file("home"));
    const longText = Array.from({ length: 5_000 }, (_, index) => `word ${index}.`).join(" ");
    const { runId } = await runPrompt("ses_a", "Write.", [{ text: longText }]);
    const { out } = await sheepdog("show", "ses_a");
    expect(out.length).toBeLessThan(6_000);
    expect(out).toContain(`more characters; see all with: sheepdog show ${runId} --full)`);
    expect((await sheepdog("show", "ses_a", "--full")).out.match(/word/g)).toHaveLength(5_000);
    const message = `No credit is left, see https://example.com/${"é".repeat(200)} END`;
    await runPrompt("ses_b", "Write.", [{ fault: { type: "status", status: 400, message } }]);
    const io = fakeIo({ env, isTTY: true, columns: 40 });
    await main(["show", "ses_b"], io);
    expect([io.out().match(/é/g)?.length, io.out()]).toEqual([200, expect.stringContaining("END")]);
    await close();
  });

  test("shows the change that an edit made", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    const edit = defineTool({
      name: "edit",
      kind: "mutate",
      description: "",
      input: z.looseObject({}),
      run: async () => ok("Changed a.txt.", { change: { path: "a.txt", line: 7, before: "two\n", after: "2\n" } }),
    });
    const script = [{ calls: [{ tool: "edit", input: { path: "a.txt", old: "two", new: "2" } }] }, { text: "Done." }];
    await runPrompt("ses_a", "Edit.", script, { tools: [edit] });
    expect((await sheepdog("show", "ses_a")).out).toContain("    @@ -7,1 +7,1 @@\n    -two\n    +2\n");
    await close();
  });

  test("exits with a usage error for an unknown run", async () => {
    const { sheepdog, close } = await openTestHome(await file("home"));
    for (const id of ["last", "ses_none", "../x", "*", "\u001b[2J", "x".repeat(4_000)]) {
      const { code, out, err } = await sheepdog("show", id);
      expect([code, out, err.split("\n").length]).toEqual([2, "", 2]);
      expect(err.trimEnd()).not.toMatch(terminalControls);
    }
    await close();
  });
});
