import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Script, startWireServer, type WireRequest, type WireServer } from "@sheepdog/agent/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { type FakeIo, fakeIo } from "../../../test/fake-io.ts";
import { cleanRun, stuckRun } from "../../../test/recordings.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";

const file = scratchFolder();

async function analyze(
  args: readonly string[],
  io: FakeIo = fakeIo(),
): Promise<{ code: number; out: string; err: string }> {
  const code = await main(["analyze", ...args], io);
  return { code, out: io.out(), err: io.err() };
}

/** The lines of a JSONL file. */
async function linesOf(path: string): Promise<readonly Record<string, unknown>[]> {
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Detector, level and last finished call of what the only run of a document was told. */
function said(out: string): readonly string[] {
  const { runs } = JSON.parse(out) as { runs: { interventions: { level: string; call: number }[] }[] }; // our output
  return (runs[0]?.interventions ?? []).map(({ level, call }) => `${level}@${call}`);
}

const answer = (id: string, verdict: string, advice?: string) => `${JSON.stringify({ id, verdict, advice })}\n`;

describe("--briefs", () => {
  test("writes a file for each question and an index; the report is that of the rules", async () => {
    const runs = await file("runs.jsonl", cleanRun("clean") + stuckRun("a", 10));
    const folder = await file("briefs");
    const { code, out, err } = await analyze(["--json", "--briefs", folder, runs]);
    expect(code).toBe(0);
    expect(err).toContain(`1 question in ${folder}, listed in index.jsonl; answer each with a line {"id"`);
    expect(await linesOf(join(folder, "index.jsonl"))).toEqual([
      { id: "a-3-failing-call", file: "a-3-failing-call.json", place: "after call 4" },
    ]);
    const brief = JSON.parse(await readFile(join(folder, "a-3-failing-call.json"), "utf8"));
    expect(brief).toEqual({
      id: "a-3-failing-call",
      run: "a",
      source: "test",
      call: 3,
      detector: "failing-call",
      level: "block",
      system: expect.stringContaining("You judge whether an AI agent is stuck."),
      prompt: expect.stringContaining('"command\\":\\"make'),
    });
    const rules = JSON.parse((await analyze(["--json", runs])).out);
    expect(JSON.parse(out).runs[1].interventions).toEqual(rules.runs[1].interventions);
  });

  test("can be alternated with --opinions: only questions without an answer are written", async () => {
    const runs = await file("runs.jsonl", stuckRun("a", 12));
    const answers = await file("answers.jsonl", answer("a-3-failing-call", "working"));
    const [first, second, last] = [await file("b1"), await file("b2"), await file("b3")];
    const ids = async (folder: string) => (await linesOf(join(folder, "index.jsonl"))).map(({ id }) => id);
    await analyze(["--briefs", first, runs]);
    expect(await ids(first)).toEqual(["a-3-failing-call"]);
    await analyze(["--briefs", second, "--opinions", answers, runs]);
    expect(await ids(second)).toEqual(["a-8-failing-call"]);
    await file("answers.jsonl", answer("a-3-failing-call", "working") + answer("a-8-failing-call", "stuck"));
    const { err } = await analyze(["--briefs", last, "--opinions", answers, runs]);
    expect(await ids(last)).toEqual([]);
    expect(err).toContain(`no question is open; ${last}/index.jsonl is empty`);
  });

  test("--ask-when always writes questions before hints, --set secondOpinion as well", async () => {
    const runs = await file("runs.jsonl", stuckRun("a", 2));
    for (const option of [
      ["--ask-when", "always"],
      ["--set", "secondOpinion=always"],
    ]) {
      const folder = await file(`briefs${option[0]}`);
      await analyze(["--briefs", folder, ...option, runs]);
      expect(await linesOf(join(folder, "index.jsonl"))).toMatchObject([{ id: "a-1-failing-call" }]);
    }
  });

  test("any run id gives a file name, and runs with the same id stay apart", async () => {
    const runs = await file("runs.jsonl", stuckRun("../../x", 5) + stuckRun("a", 5) + stuckRun("a", 5));
    const folder = await file("briefs");
    await analyze(["--briefs", folder, runs]);
    const index = await linesOf(join(folder, "index.jsonl"));
    expect(index.map(({ id }) => id)).toEqual(["../../x-3-failing-call", "a-3-failing-call", "a#2-3-failing-call"]);
    expect((await readdir(folder)).sort()).toEqual(
      ["index.jsonl", ...index.map((line) => String(line["file"]))].sort(),
    );
  });

  test("a folder that cannot be created gets a sentence", async () => {
    const { code, err } = await analyze(["--briefs", await file("taken", "x"), await file("r.jsonl", stuckRun("a"))]);
    expect([code, err]).toEqual([2, expect.stringMatching(/^sheepdog: --briefs .*taken: /)]);
  });
});

describe("--opinions", () => {
  test("stuck: the advice is told right after the question, and the document has the opinion", async () => {
    const runs = await file("runs.jsonl", stuckRun("a", 10));
    const answers = await file("answers.jsonl", answer("a-3-failing-call", "stuck", "Write a Makefile."));
    const { code, out, err } = await analyze(["--json", "--opinions", answers, runs]);
    expect([code, err]).toEqual([0, ""]);
    expect(said(out)).toEqual(["hint@2", "warn@3", "warn@3", "block@4", "halt@7"]);
    const { runs: reports, totals } = JSON.parse(out);
    expect(reports[0].opinions).toEqual([
      {
        id: "a-3-failing-call",
        call: 3,
        turn: 3,
        detector: "failing-call",
        level: "block",
        verdict: "stuck",
        advice: "Write a Makefile.",
      },
    ]);
    expect(totals.opinions).toEqual({ stuck: 1, working: 0, unsure: 0, unanswered: 0 });
  });

  test("working: force comes later", async () => {
    const runs = await file("runs.jsonl", stuckRun("a", 10));
    const answers = await file("answers.jsonl", answer("a-3-failing-call", "working"));
    const { out } = await analyze(["--json", "--opinions", answers, runs]);
    expect(said(out)).toEqual(["hint@2", "warn@3", "block@9"]);
    expect(said((await analyze(["--json", runs])).out)).toEqual(["hint@2", "warn@3", "block@4", "halt@7"]);
  });

  test("--explain shows the advice and what has no answer", async () => {
    const runs = await file("runs.jsonl", stuckRun("a", 5) + stuckRun("b", 5) + cleanRun("c"));
    const answers = await file("answers.jsonl", answer("a-3-failing-call", "stuck", "Write a Makefile."));
    const { out } = await analyze(["--explain", "--opinions", answers, runs], fakeIo({ columns: 100 }));
    expect(out).toContain(
      "\nSecond opinion on failing-call after call 4, before block: stuck\n  Advice: Write a Makefile.\n",
    );
    expect(out).toContain("\nSecond opinion on failing-call after call 4, before block: no answer, the rules decide\n");
    expect(out).toContain(
      "Second opinions: 2 questions; 1 stuck, 0 working, 0 unsure, 1 without an answer (the rules decide).",
    );
  });

  test("bad lines are named with what would be right", async () => {
    const runs = await file("runs.jsonl", stuckRun("a", 5));
    const answers = await file("answers.jsonl", `${answer("a-3-failing-call", "yes")}oops\n`);
    const { code, out, err } = await analyze(["--opinions", answers, runs]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain('answers.jsonl:1: verdict is "yes"; it must be "stuck", "working" or "unsure"');
    expect(err).toContain('answers.jsonl:2: this is not JSON; a line must be like {"id": "…"');
  });

  test("a missing file, and answers to no question, are reported", async () => {
    const runs = await file("runs.jsonl", stuckRun("a", 5));
    const missing = await analyze(["--opinions", await file("gone.jsonl"), runs]);
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("gone.jsonl: there is no such file")]);
    const other = await analyze(["--opinions", await file("answers.jsonl", answer("x-1-cycle", "stuck")), runs]);
    expect([other.code, other.err]).toEqual([
      0,
      expect.stringContaining("answers.jsonl: 1 answer to no question about these recordings"),
    ]);
  });
});

describe("--second-opinion", () => {
  interface Setting {
    readonly server: WireServer;
    readonly folder: string;
    /** Answers of the user; without them there is no terminal. */
    io(typed?: string, env?: Record<string, string>): FakeIo;
  }

  /** A server for models, and a folder in which the command runs. */
  async function setting(script: Script<WireRequest>): Promise<Setting> {
    const server = await startWireServer(script);
    onTestFinished(() => server.close());
    const folder = dirname(await file("work/notes.txt", ""));
    const env = {
      SHEEPDOG_HOME: await file("home"),
      OPENAI_COMPATIBLE_BASE_URL: server.url,
      SHEEPDOG_MODEL__PROVIDER: "openai-compatible",
      SHEEPDOG_MODEL__MODEL_ID: "shepherd-1",
      SHEEPDOG_BUDGET__PRICING_OVERRIDES: '{"shepherd-1":{"input":100,"output":200}}',
      NO_COLOR: "1",
    };
    return {
      server,
      folder,
      io: (typed, more = {}) =>
        fakeIo({ cwd: folder, env: { ...env, ...more }, isTTY: typed !== undefined, stdin: typed ?? "" }),
    };
  }

  const stuck = { text: '{"verdict":"stuck","advice":"Write a Makefile."}', usage: { input: 1_000, output: 50 } };
  const working = { text: '{"verdict":"working"}', usage: { input: 1_000, output: 50 } };

  test("asks the model after the user has agreed, and saves the answers", async () => {
    const { server, folder, io } = await setting([working, stuck]);
    const runs = await file("runs.jsonl", stuckRun("a", 12));
    const { code, out, err } = await analyze(["--json", "--second-opinion", runs], io("y\n"));
    expect(code, err).toBe(0);
    expect(err).toMatch(/The model is openai-compatible:shepherd-1 at http:\/\/127\.0\.0\.1:\d+/);
    expect(err.replaceAll(/\s+/g, " ")).toMatch(
      /1 question for openai-compatible:shepherd-1, at most 3 .*: about \$0\.00\d in all\. The limit is \$0\.500/,
    );
    expect(err).toContain("Ask them? [y/N]");
    expect(JSON.parse(out).runs[0].opinions).toMatchObject([
      { id: "a-3-failing-call", verdict: "working", advice: null },
      { id: "a-8-failing-call", verdict: "stuck", advice: "Write a Makefile." },
    ]);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[0]?.text).toContain("Is the agent stuck?");
    expect(await linesOf(join(folder, "sheepdog-opinions.jsonl"))).toEqual([
      { id: "a-3-failing-call", verdict: "working" },
      { id: "a-8-failing-call", verdict: "stuck", advice: "Write a Makefile." },
    ]);
    expect(err).toContain("2 questions answered for $0.002; the answers are in sheepdog-opinions.jsonl");
  });

  test("nothing is paid twice: saved answers are used, and --opinions can read them", async () => {
    const { server, folder, io } = await setting([stuck]);
    const runs = await file("runs.jsonl", stuckRun("a", 6));
    const args = ["--json", "--second-opinion", "--yes", "--save-opinions", "saved.jsonl", runs];
    const first = await analyze(args, io());
    const again = await analyze(args, io());
    expect([again.code, again.out]).toEqual([0, first.out]);
    expect(again.err).toContain("all questions have an answer; nothing is sent");
    expect((await analyze(["--json", "--opinions", join(folder, "saved.jsonl"), runs])).out).toBe(first.out);
    expect(server.requests).toHaveLength(1);
  });

  test("no: nothing is sent", async () => {
    const { server, folder, io } = await setting([]);
    const { code, out, err } = await analyze(["--second-opinion", await file("r.jsonl", stuckRun("a", 6))], io("n\n"));
    expect([code, out, server.requests.length]).toEqual([0, "", 0]);
    expect(err).toContain("no question was asked");
    expect(await readdir(folder)).toEqual(["notes.txt"]);
  });

  test("without a terminal and without --yes it is refused", async () => {
    const { server, io } = await setting([]);
    const { code, err } = await analyze(["--second-opinion", await file("r.jsonl", stuckRun("a", 6))], io());
    expect([code, server.requests.length]).toEqual([2, 0]);
    expect(err).toBe(
      "sheepdog: there is no terminal to ask on, so no question was sent; use --yes to send them, or --briefs to " +
        "read them first\n",
    );
  });

  test("--max-cost ends the questions; the rules decide about the rest", async () => {
    const { server, io } = await setting([stuck]);
    const runs = await file("runs.jsonl", stuckRun("a", 6) + stuckRun("b", 6));
    // The answer costs $0.0011, but the longest answer could cost $0.004 more than its question.
    const { code, out, err } = await analyze(
      ["--json", "--second-opinion", "--yes", "--max-cost", "0.0055", runs],
      io(),
    );
    expect([code, server.requests.length]).toEqual([0, 1]);
    expect(err).toContain("the limit of $0.006 is reached (--max-cost); the rules decide about the other questions");
    expect(JSON.parse(out).totals.opinions).toEqual({ stuck: 1, working: 0, unsure: 0, unanswered: 1 });
  });

  test("a model without a price needs --max-cost off", async () => {
    const { server, io } = await setting([stuck]);
    const free = { SHEEPDOG_BUDGET__PRICING_OVERRIDES: "{}" };
    const args = ["--second-opinion", "--yes", await file("r.jsonl", stuckRun("a", 6))];
    const refused = await analyze(args, io(undefined, free));
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining("the price of openai-compatible:shepherd-1 is not known, so --max-cost cannot be held"),
    ]);
    const allowed = await analyze(["--max-cost", "off", ...args], io(undefined, free));
    expect([allowed.code, server.requests.length]).toEqual([0, 1]);
    expect(allowed.err).toContain("the price is not known. There is no limit (--max-cost).");
  });

  test("if the model fails, the rules decide, and the exit code says so", async () => {
    const { io } = await setting([{ fault: { type: "status", status: 401 } }]);
    const runs = await file("runs.jsonl", stuckRun("a", 6));
    const { code, out, err } = await analyze(["--json", "--second-opinion", "--yes", runs], io());
    expect(code).toBe(1);
    expect(err).toContain("openai-compatible:shepherd-1 gave no answer: ");
    expect(said(out)).toEqual(said((await analyze(["--json", runs])).out));
  });

  test.each([
    [["--yes"], "--yes can be used only with --second-opinion"],
    [["--max-cost", "1", "--save-opinions", "x"], "--save-opinions and --max-cost can be used only with"],
    [["--ask-when", "always"], "--ask-when needs --briefs, --opinions or --second-opinion"],
    [
      ["--second-opinion", "--yes", "--max-cost", "much"],
      "--max-cost much: it must be dollars above 0, as in 0.50, or off for no limit",
    ],
    [["--second-opinion", "--yes", "--max-cost", "0"], "--max-cost 0: it must be dollars above 0"],
    [["--second-opinion", "--yes", "-"], "--second-opinion reads recordings twice, so it needs files, not stdin"],
    [["--second-opinion", "--briefs", "x"], "--briefs"],
  ])("%j is a usage error", async (args, sentence) => {
    const { io } = await setting([]);
    const { code, err } = await analyze([...args, await file("r.jsonl", stuckRun("a", 6))], io());
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

test("without these options nothing is asked, and the document has no opinions", async () => {
  const runs = await file("runs.jsonl", stuckRun("a", 10));
  const plain = (await analyze(["--json", runs])).out;
  expect(plain).not.toContain("opinions");
  expect((await analyze(["--json", "--set", "secondOpinion=always", runs])).out).toBe(plain);
});
