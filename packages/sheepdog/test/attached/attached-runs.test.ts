import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runsPageSchema } from "@sheepdog/web/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { plainSentence } from "../../src/sentences/say.ts";
import { createViewContext } from "../../src/server/serve-home.ts";
import { runView } from "../../src/server/views/run-view.ts";
import { runsView } from "../../src/server/views/runs-view.ts";
import { scratchFolder } from "../scratch-folder.ts";
import { openTestHome, type TestHome } from "../test-home.ts";
import { addRefusedLoop, type TestSpool, testSpool } from "./spool.ts";

const file = scratchFolder();
let home: TestHome;
beforeEach(async () => {
  home = await openTestHome(await file("home"));
});
afterEach(() => home.close());

const session = "0b6f1a52-7c1d-4e58";
const spoolAt = (startedAt: number, more: object = {}): TestSpool =>
  testSpool(home.home.attachDir, { session, startedAt, ...more });
const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;

function endedSession(): TestSpool {
  const spool = spoolAt(minutesAgo(50));
  addRefusedLoop(spool);
  spool.add({ type: "turn-end" }, { type: "reply", text: "The test is fixed." }, { type: "end" });
  return spool;
}

async function listed(...argv: string[]) {
  const { out } = await home.sheepdog("runs", "--json", ...argv);
  return (JSON.parse(out) as { readonly runs: Record<string, unknown>[] }).runs;
}

describe("runs", () => {
  test("lists the session of an attached agent beside own runs, with what the guardian did", async () => {
    await home.runPrompt("ses_a", "Say hello.", [{ text: "Hello." }]);
    endedSession();
    const runs = await listed();
    expect(runs.map(({ agent, prompt }) => [agent, prompt])).toEqual([
      ["sheepdog", "Say hello."],
      ["claude-code", "Fix the failing test."],
    ]);
    expect(runs[1]).toMatchObject({
      sessionId: session,
      runId: expect.stringMatching(/^rec_/),
      state: "completed",
      reason: "answered",
      workspace: "/srv/shop",
      turns: 7,
      costUsd: 0.05,
      interventions: { count: 2, highest: "block" },
      resume: null,
    });
    const { out } = await home.sheepdog("runs");
    expect(out).toMatch(/rec_\w{8} +answered +Claude Code: Fix the failing test\. +7 +\$0\.050 +2 up to block\n/);
  });

  test("a session that is being written is running, and one that is silent for long broke off", async () => {
    spoolAt(minutesAgo(1)).failingTurn("c1");
    spoolAt(minutesAgo(600), { session: "old", agent: "codex" }).failingTurn("c1");
    expect((await listed()).map(({ agent, state }) => [agent, state])).toEqual([
      ["claude-code", "running"],
      ["codex", "broken_off"],
    ]);
    expect((await listed("--state", "running")).map(({ agent }) => agent)).toEqual(["claude-code"]);
  });

  test("one agent, one folder, a number of runs", async () => {
    await home.runPrompt("ses_a", "Say hello.", [{ text: "Hello." }]);
    endedSession();
    spoolAt(minutesAgo(10), { session: "c", agent: "codex", cwd: "/srv/web" }).failingTurn("c1");
    const agents = async (...argv: string[]) => (await listed(...argv)).map(({ agent }) => agent);
    expect(await agents("--agent", "codex")).toEqual(["codex"]);
    expect(await agents("--agent", "sheepdog")).toEqual(["sheepdog"]);
    expect(await agents("--workspace", "/srv/shop")).toEqual(["claude-code"]);
    expect(await agents("--limit", "2")).toEqual(["sheepdog", "codex"]);
    expect((await home.sheepdog("runs", "--agent", "clod")).err).toContain('the agent "clod" is unknown');
  });

  test("a session that the guardian ended says why", async () => {
    const spool = spoolAt(minutesAgo(50));
    addRefusedLoop(spool);
    const halt = { id: "e1/halt", detector: "failing-call", level: "halt", effect: "stop", call: 5 } as const;
    const intervention = { ...halt, evidence: [0, 1], count: 8, message: "Stopped.", isApplied: true };
    spool.add({ type: "intervention", intervention }, { type: "answer", event: "PreToolUse", parts: ["stop"] });
    expect((await home.sheepdog("runs")).out).toMatch(/ended: tool failures +Claude Code: .* 3 up to halt\n/);
  });
});

describe("show", () => {
  test("prints a session by its id, by its beginning, or as the last one", async () => {
    endedSession();
    const { out, code } = await home.sheepdog("show", session);
    expect(code).toBe(0);
    expect(out).toContain("Claude Code");
    expect(out).toContain("has failed 3 times with the same error");
    expect(out).toContain("Bash npm test  ✗ refused by the guardian");
    expect(out).toContain("Answered (7 turns, $0.050).");
    expect(out).not.toMatch(/would have/);
    expect((await home.sheepdog("show", session.slice(0, 6))).out).toBe(out);
    expect((await home.sheepdog("show")).out).toBe(out);
    const [run] = await listed();
    expect((await home.sheepdog("show", String(run?.["runId"]))).out).toBe(out);
  });

  test("finds a session whose id is no file name, and whose file has a hash of it", async () => {
    const spool = spoolAt(minutesAgo(10), { session: "0b 6f" });
    addRefusedLoop(spool);
    await rename(spool.file, join(dirname(spool.file), "session-5f0c.jsonl"));
    const { out } = await home.sheepdog("show", "0b 6f");
    expect(out).toContain("Claude Code");
    const [run] = await listed();
    expect((await home.sheepdog("show", String(run?.["runId"]))).out).toBe(out);
  });

  test("last is what was written last", async () => {
    endedSession();
    await home.runPrompt("ses_a", "Say hello.", [{ text: "Hello." }]);
    expect((await home.sheepdog("show")).out).toContain("Say hello.");
  });

  test("a beginning of several ids is refused", async () => {
    endedSession();
    spoolAt(minutesAgo(10), { session: "0b7" }).failingTurn("c1");
    const { err, code } = await home.sheepdog("show", "0b");
    expect(code).toBe(2);
    expect(err).toMatch(/^sheepdog: 0b matches (0b7, 0b6f1a52.*|0b6f1a52.*, 0b7); type more of the id\n$/);
  });
});

describe("web UI", () => {
  const context = () => createViewContext(home, { env: home.env, cwd: home.home.dir });

  test("lists the session with its project, its outcome and what the guardian did", async () => {
    endedSession();
    const page = runsPageSchema.parse(await runsView(context()));
    expect(page.live).toEqual([]);
    expect(page.runs).toMatchObject([
      {
        kind: "recording",
        source: "Claude Code",
        project: "shop",
        state: "completed",
        reason: "answered",
        costUsd: 0.05,
        guardian: { level: "block", isApplied: true },
        canFork: false,
      },
    ]);
    const detail = await runView(context(), page.runs[0]?.id ?? "");
    expect(plainSentence(detail?.run.sentence ?? [])).toBe("The test is fixed; one repeated call was refused");
    expect(detail?.interventions).toMatchObject([
      {
        id: "e1/hint",
        isApplied: true,
        callIds: ["call_0", "call_1", "call_2"],
        followed: false,
        notice: expect.stringMatching(/^This/),
      },
      { id: "e1/block", isApplied: true, notice: "This call was refused: it has failed 5 times in the same way." },
    ]);
    expect(detail?.accepts).toEqual([]);
  });

  test("a session that is being written is live, and tells what it does", async () => {
    const spool = spoolAt(minutesAgo(1));
    spool.failingTurn("c1");
    spool.add({ type: "call", id: "c2", tool: "Bash", args: { command: "npm run build" } });
    const page = runsPageSchema.parse(await runsView(context()));
    expect(page.runs).toEqual([]);
    expect(page.live).toMatchObject([{ isLive: true, state: "running", turns: 2, endedAt: null }]);
    expect(plainSentence(page.live[0]?.doing ?? [])).toBe("Running npm run build");
    const live = await runsView(context(), { state: "live" });
    expect(live.live).toHaveLength(1);
  });

  test("of a session that is recorded twice the recording of the hooks is shown", async () => {
    endedSession();
    const own = join(home.home.dir, "recordings", "own.jsonl");
    await mkdir(dirname(own), { recursive: true });
    const steps = [{ turn: 0, text: "Done.", calls: [] }];
    await writeFile(own, `${JSON.stringify({ id: session, source: "claude-code", steps })}\n`);
    const { runs } = await runsView(context());
    expect(runs.map(({ turns }) => turns)).toEqual([7]);
  });
});

describe("analyze", () => {
  const analyzed = async () => {
    const { out } = await home.sheepdog("analyze", "--json");
    return (JSON.parse(out) as { readonly runs: { readonly id: string; readonly calls: number }[] }).runs;
  };

  test("takes a session from the hooks only if the agent did not record it", async () => {
    endedSession();
    expect(await analyzed()).toMatchObject([{ id: session, calls: 6 }]);
    await recordedByAgent();
    expect(await analyzed()).toMatchObject([{ id: session, calls: 1 }]);
  });

  test("show of the agent's own recording names the session in which hooks have recorded what was done", async () => {
    await recordedByAgent();
    const { run } = JSON.parse((await home.sheepdog("show", "rec_", "--json")).out);
    expect((await home.sheepdog("show", run.runId)).out).not.toContain("What it did");
    endedSession();
    const { out } = await home.sheepdog("show", run.runId);
    expect(out).toContain(`What it did in this session: sheepdog show ${session}`);
  });

  /** The file in which Claude Code has recorded the session, with one call. */
  async function recordedByAgent(): Promise<void> {
    const own = join(home.env["HOME"] ?? "", ".claude/projects/-srv-shop", `${session}.jsonl`);
    await mkdir(dirname(own), { recursive: true });
    const usage = { input_tokens: 5, output_tokens: 5 };
    const content = [{ type: "tool_use", id: "c1", name: "Bash", input: { command: "npm test" } }];
    const message = { id: "m1", role: "assistant", model: "claude-sonnet-4-5", content, usage };
    const line = { type: "assistant", uuid: "u1", sessionId: session, cwd: "/srv/shop", requestId: "r1", message };
    await writeFile(own, `${JSON.stringify({ ...line, timestamp: new Date().toISOString() })}\n`);
  }
});
