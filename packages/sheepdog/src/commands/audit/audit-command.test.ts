import type { Gate, RuntimeOptions } from "@sheepdog/agent";
import { describe, expect, test, vi } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome, type TestHome, terminalControls } from "../../../test/test-home.ts";
import { main } from "../../cli.ts";

const file = scratchFolder();
const say = (text: string) => ({ calls: [{ tool: "echo", input: { text } }] });
const done = { text: "Done." };
/** Asks about "push", refuses "wipe", allows everything else. */
const gate: Gate = {
  decide: async ({ input }) => {
    if (input?.["text"] === "push") return { tier: 3, decision: "ask", reason: "Reaches another machine." };
    if (input?.["text"] === "wipe") return { tier: 4, decision: "deny", reason: "Destroys.", patterns: ["wipe"] };
    return { tier: 0, decision: "allow", reason: "Only reads." };
  },
};
const refusing: Partial<RuntimeOptions> = { gate, attended: true, approve: async () => ({ isAllowed: false }) };

async function homeWithRuns(): Promise<TestHome> {
  const home = await openTestHome(await file("home"));
  await home.runPrompt("ses_a", "Go.", [say("hello"), say("push"), done], refusing);
  await home.runPrompt("ses_b", "Go.", [say("wipe"), done], refusing);
  return home;
}

describe("the list of decisions", () => {
  test("has a line for each: time, tier, decision, tool, input, reason and outcome", async () => {
    const { sheepdog, close } = await homeWithRuns();
    const { code, out, err } = await sheepdog("audit");
    expect([code, err]).toEqual([0, ""]);
    expect(out.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}T4 {2}deny {2}echo {2}wipe {2}Destroys\. {2}near miss: Refused as/),
      expect.stringMatching(
        /^[\d:]{8} {2}T3 {2}ask: no {2}echo {2}push {2}Reaches another machine\. {2}near miss: The user said no\.$/,
      ),
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}T0 {2}allow {2}echo {2}hello {2}Only reads\. {2}harmless$/),
    ]);
    await close();
  });

  test("can be filtered", async () => {
    const { sheepdog, stores, close } = await homeWithRuns();
    const inputs = async (...argv: string[]) =>
      (JSON.parse((await sheepdog("audit", "--json", ...argv)).out) as { entries: { input: string }[] }).entries.map(
        ({ input }) => input,
      );
    expect(await inputs()).toEqual(["wipe", "push", "hello"]);
    expect(await inputs("--session", "ses_a")).toEqual(["push", "hello"]);
    expect(await inputs("--run", "last")).toEqual(["wipe"]);
    const runId = (await stores.sessions.load("ses_a")).runs[0]?.runId ?? "";
    expect(await inputs("--run", runId)).toEqual(["push", "hello"]);
    expect(await inputs("--run", runId.slice(0, 12))).toEqual(["push", "hello"]);
    expect(await inputs("--tool", "echo", "--limit", "1")).toEqual(["wipe"]);
    expect(await inputs("--tool", "bash")).toEqual([]);
    expect(await inputs("--decision", "ask")).toEqual(["push"]);
    expect(await inputs("--tier", "3")).toEqual(["wipe", "push"]);
    expect(await inputs("--outcome", "near_miss")).toEqual(["wipe", "push"]);
    expect(await inputs("--since", "1h")).toHaveLength(3);
    expect(await inputs("--since", "2999-01-01")).toEqual([]);
    await stores.sessions.remove("ses_a", Date.now());
    expect(await inputs("--session", "ses_a")).toEqual(["push", "hello"]);
    expect((await sheepdog("audit", "--tool", "bash")).err).toBe("sheepdog: no decision matches\n");
    await close();
  });

  test("is one JSON document with everything that was decided", async () => {
    const { sheepdog, close } = await homeWithRuns();
    const { schemaVersion, entries } = JSON.parse((await sheepdog("audit", "--json")).out);
    expect(schemaVersion).toBe(1);
    expect(entries[0]).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: expect.stringMatching(/Z$/),
      sessionId: "ses_b",
      runId: expect.stringMatching(/^run_/),
      callId: expect.any(String),
      tool: "echo",
      input: "wipe",
      by: "gate",
      tier: 4,
      decision: "deny",
      reason: "Destroys.",
      principles: [],
      patterns: ["wipe"],
      rule: null,
      lessons: [],
      reasoning: null,
      approval: null,
      outcome: "near_miss",
      outcomeReason: "Refused as dangerous or not fully understood: wipe.",
      severity: null,
    });
    expect(entries[1].approval).toMatchObject({ isAllowed: false, isUnanswered: false, reason: null });
    await close();
  });

  test("prints no terminal control sequence", async () => {
    const { runPrompt, sheepdog, close } = await openTestHome(await file("home"));
    const evil = "\u001b[2J\u202eevil\u0007";
    const hostile: Gate = { decide: async () => ({ tier: 0, decision: "allow", reason: evil }) };
    await runPrompt("ses_a", "Go.", [say(evil), done], { gate: hostile });
    for (const argv of [["audit"], ["audit", "--json"]])
      expect((await sheepdog(...argv)).out).not.toMatch(terminalControls);
    await close();
  });

  test.each([
    [["--limit", "0"], "--limit is"],
    [["--tier", "5"], "--tier is"],
    [["--since", "tomorrow"], "--since is"],
    [["--decision", "maybe"], "allow, ask, deny"],
    [["--outcome", "bad"], "near_miss"],
  ])("%j is a usage error", async (argv, sentence) => {
    const { sheepdog, close } = await openTestHome(await file("home"));
    const { code, out, err } = await sheepdog("audit", ...argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
    await close();
  });

  test("is empty without a database, and creates none", async () => {
    const folder = await file("nothing");
    const io = fakeIo({ env: { SHEEPDOG_HOME: `${folder}/home` } });
    expect([await main(["audit"], io), io.out(), io.err()]).toEqual([0, "", "sheepdog: no decision matches\n"]);
  });
});

test("--follow prints the newest decisions, then new ones once, until Ctrl-C", async () => {
  const { runPrompt, env, close } = await homeWithRuns();
  const io = fakeIo({ env });
  const following = main(["audit", "--follow", "--json", "--limit", "2"], io);
  const inputs = () =>
    io
      .out()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line).entry.input as string);
  await vi.waitFor(() => expect(inputs()).toEqual(["push", "wipe"]), 10_000);
  await runPrompt("ses_c", "Go.", [say("one"), say("two"), done], refusing);
  await vi.waitFor(() => expect(inputs()).toEqual(["push", "wipe", "one", "two"]), 10_000);
  io.interrupt();
  expect([await following, io.err()]).toEqual([130, ""]);
  expect(inputs()).toEqual(["push", "wipe", "one", "two"]);
  await close();
});

test("--follow prints a decision again when it turns out badly", async () => {
  const { runtime, env, close } = await openTestHome(await file("home"));
  const io = fakeIo({ env });
  const following = main(["audit", "--follow"], io);
  const lines = () => io.out().split("\n").slice(0, -1);
  let answer = (_: { isAllowed: boolean }) => {};
  const approve = () =>
    new Promise<{ isAllowed: boolean }>((resolve) => {
      answer = resolve;
    });
  const run = runtime([say("push"), done], { gate, attended: true, approve }).run("ses_a", "Go.");
  await vi.waitFor(
    () => expect(lines()).toEqual([expect.stringMatching(/ask {2}echo {2}push {2}Reaches another machine\.$/)]),
    10_000,
  );
  answer({ isAllowed: false });
  await run.result;
  await vi.waitFor(() => expect(lines()).toHaveLength(2), 10_000);
  expect(lines()[1]).toContain("ask: no");
  io.interrupt("SIGTERM");
  expect(await following).toBe(143);
  await close();
});

describe("lessons", () => {
  test("are listed and removed; then the call is decided as before", async () => {
    const { sheepdog, runPrompt, close } = await openTestHome(await file("home"));
    const fetchTool = { calls: [{ tool: "echo", input: { text: "x", url: "https://example.org/a?token=b" } }] };
    const asking: Gate = { decide: async () => ({ tier: 3, decision: "ask", reason: "Reaches out." }) };
    const approve = async () => ({
      isAllowed: false,
      reason: "the user said no: never that host",
      words: "never that host",
    });
    await runPrompt("ses_a", "Go.", [fetchTool, done], { gate: asking, attended: true, approve });
    const { out } = await sheepdog("memory", "safety");
    expect(out.split("\n")).toEqual([
      expect.stringMatching(/^lesson_1 {2}\d\d:\d\d {2}confidence 80 % {2}applied 0 times$/),
      "  echo example.org",
      "  Ask the user before you use echo example.org.",
      "  The user objected to it: “never that host”.",
      "",
    ]);
    expect(JSON.parse((await sheepdog("memory", "safety", "--json")).out)).toMatchObject({
      schemaVersion: 1,
      lessons: [{ id: "lesson_1", action: "echo example.org", confidence: 0.8, timesApplied: 0, lastAppliedAt: null }],
    });
    const decided = async () => {
      const allowing: Gate = { decide: async () => ({ tier: 3, decision: "allow", reason: "Reaches out." }) };
      await runPrompt("ses_b", "Go.", [fetchTool, done], { gate: allowing });
      return JSON.parse((await sheepdog("audit", "--json", "--limit", "1")).out).entries[0];
    };
    const stricter = await decided();
    expect(stricter).toMatchObject({ decision: "deny", lessons: ["lesson_1"] });
    expect(stricter.reason).toContain("“never that host”");
    expect((await sheepdog("memory", "safety")).out).toContain("applied 1 time");
    expect(await sheepdog("memory", "safety", "remove", "lesson_1")).toEqual({
      code: 0,
      out: "Removed lesson_1.\n",
      err: "",
    });
    expect(await decided()).toMatchObject({ decision: "allow", lessons: [] });
    await close();
  });

  test("are all removed only with --yes, and unknown ids are usage errors", async () => {
    const { sheepdog, stores, close } = await homeWithRuns();
    for (const [at, action] of ["bash: git push", "bash: npm publish"].entries()) {
      const words = { reflection: "The user objected to it.", rule: `Ask the user before you use ${action}.` };
      const kind = { principle: "intent", confidence: 0.7, outcome: "near_miss", source: "user" } as const;
      await stores.lessons.learn({ at, sessionId: "ses_1", action, ...words, ...kind });
    }
    const lessons = JSON.parse((await sheepdog("memory", "safety", "--json")).out).lessons as unknown[];
    expect(lessons.length).toBeGreaterThan(0);
    expect((await sheepdog("memory", "safety", "clear")).code).toBe(2);
    expect((await sheepdog("memory", "safety", "remove", "lesson_99")).err).toContain("there is no lesson lesson_99");
    expect((await sheepdog("memory", "safety", "forget")).code).toBe(2);
    expect((await sheepdog("memory", "safety", "remove", "last")).out).toBe("Removed lesson_2.\n");
    expect((await sheepdog("memory", "safety", "clear", "--yes")).out).toMatch(/^Removed \d+ lessons?\.\n$/);
    expect((await sheepdog("memory", "safety")).err).toBe("sheepdog: there are no lessons yet\n");
    await close();
  });
});

test("prune removes old rows of the audit trail by a rule of their own", async () => {
  const { sheepdog, stores, close } = await homeWithRuns();
  const rows = await stores.audit.lastSeq();
  expect((await sheepdog("prune", "--yes")).out).toBe("There was nothing to remove.\n");
  const planned = JSON.parse((await sheepdog("prune", "--dry-run", "--json", "--audit-older-than", "0m")).out);
  expect(planned).toMatchObject({ auditRows: rows, sessions: [] });
  expect((await sheepdog("prune", "--yes", "--audit-older-than", "0m")).out).toBe(
    `Removed ${rows} rows of the audit trail.\n`,
  );
  expect(await stores.audit.list()).toEqual([]);
  expect((await sheepdog("prune", "--yes", "--audit-older-than", "old")).code).toBe(2);
  await close();
});
