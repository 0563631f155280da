import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { claudeSession } from "../../../test/claude-session.ts";
import { type FakeIo, fakeIo } from "../../../test/fake-io.ts";
import { cleanRun, stuckRun, talkingRun } from "../../../test/recordings.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";
import { recordingId } from "../../recordings/recording-entry.ts";

const file = scratchFolder();

async function analyze(
  args: readonly string[],
  io: FakeIo = fakeIo(),
): Promise<{ code: number; out: string; err: string }> {
  const env = { HOME: await file("home"), ...io.env };
  const code = await main(["analyze", ...args], { ...io, env });
  return { code, out: io.out(), err: io.err() };
}

describe("what can be read", () => {
  test("the answer comes first, then what went in circles, and how to see it", async () => {
    const path = await file("runs.jsonl", cleanRun("clean") + stuckRun("stuck", 9));
    const { code, out, err } = await analyze([path]);
    const id = recordingId(path, "stuck", 0);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.split("\n")).toEqual([
      "Your agents spent $0.90 in 2 runs; 8 of 10 calls and $0.80 went in circles, in 1",
      "run.",
      "",
      "BY AGENT    COST IN CIRCLES  CALLS IN CIRCLES",
      "test         $0.80 of $0.90            8 of 9  ████████████",
      "trajectory   $0.00 of $0.00            0 of 1",
      "",
      "BY TOOL  COST IN CIRCLES  CALLS IN CIRCLES",
      "bash      $0.80 of $0.90            8 of 9  ████████████",
      "ls        $0.00 of $0.00            0 of 1",
      "",
      "BY MODEL       COST IN CIRCLES  CALLS IN CIRCLES",
      "m               $0.80 of $0.90            8 of 9  ████████████",
      "unknown model   $0.00 of $0.00            0 of 1",
      "",
      "THE RUN THAT WENT IN CIRCLES",
      "",
      " 1. `make` failed 9 times the same way.                                    $0.80",
      "    test · 8 calls in circles",
      "    It would have been ended at call 8, which would have saved 1 call and $0.10.",
      `    sheepdog show ${id}`,
      "",
      "The evidence: sheepdog analyze --explain; other limits: sheepdog analyze sweep",
      "",
    ]);
  });

  test("--json is one document that keeps the contract", async () => {
    const { code, out } = await analyze(["--json", await file("runs.jsonl", `${stuckRun("a")}oops\n${cleanRun("b")}`)]);
    const report = JSON.parse(out);
    expect(code).toBe(0);
    expect(Object.keys(report)).toEqual([
      ...["schemaVersion", "runs", "totals", "groups", "skipped", "skippedCount", "scan"],
    ]);
    expect(Object.keys(report.runs[0]).slice(0, 9)).toEqual([
      "id",
      "source",
      "model",
      "calls",
      "turns",
      "costUsd",
      "unpricedTokens",
      "interventions",
      "stuck",
    ]);
    expect(Object.keys(report.runs[0].interventions[0])).toEqual([
      "call",
      "turn",
      "detector",
      "level",
      "message",
      "evidence",
    ]);
    expect(report.runs[0].stuck).toEqual({ from: 1, to: 2, calls: 2, costUsd: 0.2 });
    expect(report.totals).toMatchObject({
      runs: 2,
      calls: 4,
      turns: 4,
      costUsd: 0.3,
      unpricedTokens: 0,
      stuckRuns: 1,
      stuckCalls: 2,
      stuckCostUsd: 0.2,
    });
    expect(report).toMatchObject({
      schemaVersion: 1,
      skippedCount: 1,
      skipped: [{ line: 2, why: expect.stringContaining("not JSON") }],
    });
  });

  test("--jsonl is one run a line, and reports skipped lines on stderr", async () => {
    const { code, out, err } = await analyze([
      "--jsonl",
      await file("runs.jsonl", `${cleanRun("a")}[]\n${cleanRun("b")}`),
    ]);
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(["a", "b"]);
    expect([code, err.includes("runs.jsonl:2: this line is a list; it must be an object")]).toEqual([0, true]);
  });

  test("without a path, or with -, stdin is read", async () => {
    expect((await analyze([], fakeIo({ stdin: stuckRun("a") }))).out).toContain("`make` failed 3 times");
    expect((await analyze(["-", "--jsonl"], fakeIo({ stdin: gzipSync(stuckRun("a")) }))).out).toContain('"id":"a"');
  });

  test("a directory stands for all files below it, including gzip", async () => {
    await file("deep/a.jsonl", cleanRun("a"));
    await file("deep/er/b.jsonl.gz", gzipSync(cleanRun("b")));
    const { out } = await analyze(["--jsonl", await file("deep")]);
    expect(out.match(/"id":"\w"/g)).toEqual(['"id":"a"', '"id":"b"']);
  });

  test("an unreadable path is reported, and the other paths are read", async () => {
    const { code, out, err } = await analyze([
      "--jsonl",
      await file("missing.jsonl"),
      await file("runs.jsonl", cleanRun("a")),
    ]);
    expect([code, out.includes('"id":"a"'), err.includes("missing.jsonl: there is no such file or directory")]).toEqual(
      [0, true, true],
    );
  });

  test("a line that is too long is skipped and the next is read", async () => {
    const huge = `{"id":"huge","task":"${"x".repeat(65 * 1024 * 1024)}","steps":[]}\n`;
    const { code, out, err } = await analyze([await file("runs.jsonl", huge + stuckRun("after"))]);
    expect([code, err.includes("longer than 64 MiB"), out.includes("in one run")]).toEqual([0, true, true]);
  });

  test("control sequences of a recording never reach the terminal", async () => {
    const { out } = await analyze(
      ["--explain"],
      fakeIo({ stdin: stuckRun("\u001b[31mred\u001b]0;title\u0007\u202e") }),
    );
    expect(out).toContain("Run red");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  test.each([40, 60, 80, 120])("everything fits into %i columns", async (columns) => {
    const { out } = await analyze(
      ["--explain"],
      fakeIo({ stdin: stuckRun("a-run-with-a-rather-long-name-羊羊羊", 9) + cleanRun("b"), columns }),
    );
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test("colours are used on terminals that support them", async () => {
    const stdin = stuckRun("a");
    const path = await file("runs.jsonl", stdin);
    expect((await analyze([path], fakeIo({ isTTY: true }))).out).toContain("\u001b[1m");
    expect((await analyze([path], fakeIo({ isTTY: true, env: { NO_COLOR: "1" } }))).out).not.toContain("\u001b");
    expect((await analyze([path], fakeIo())).out).not.toContain("\u001b");
  });

  test("--explain compares the first call with the last, once for each loop", async () => {
    const path = await file("runs.jsonl", stuckRun("a", 10));
    const { out } = await analyze(["--explain", path], fakeIo({ columns: 80 }));
    expect(out.split("\n")).toEqual([
      `Run a · test · sheepdog show ${recordingId(path, "a", 0)}`,
      "",
      "`make` failed 10 times the same way (9 calls, $0.90 in circles).",
      "  call 1, turn 1",
      "  bash make",
      "  failed: make: *** No rule to make target 'all'. Error 2",
      "  calls 2–10: same",
      "  The guardian would have hinted after call 3, warned after call 4, refused the",
      "  next one after call 5 and ended the run after call 8.",
      expect.stringContaining("It would have said:"),
      ...Array(2).fill(expect.any(String)),
      "  2 calls and $0.20 followed in the recording, which that end would have saved.",
      `  In ${path}:1`,
      "",
    ]);
  });
});

/** The report of a single run: detector, level, and the last finished call. */
async function reported(
  run: string,
  ...args: readonly string[]
): Promise<{ said: string[]; messages: string[]; stuck: unknown; err: string }> {
  const { out, err } = await analyze(["--jsonl", ...args], fakeIo({ stdin: run }));
  const { interventions, stuck } = JSON.parse(out) as {
    interventions: { detector: string; level: string; call: number; message: string }[];
    stuck: unknown;
  }; // our own output
  return {
    said: interventions.map((each) => `${each.detector} ${each.level} @${each.call}`),
    messages: interventions.map((each) => each.message),
    stuck,
    err,
  };
}

describe("limits are checked against a recording", () => {
  test("money: the limit applies before the calls of the reply that exceeds it", async () => {
    const { said, messages, stuck, err } = await reported(
      stuckRun("a", 6),
      "--policy",
      "off",
      "--set",
      "limits.run-cost.stop=$0.25",
    );
    expect({ said, stuck, err }).toEqual({ said: ["run-cost halt @1"], stuck: null, err: "" });
    expect(messages[0]).toContain("$0.30 of $0.25");
  });

  test("money: warns once and stops once, in addition to the detectors", async () => {
    const { said } = await reported(
      stuckRun("a", 5),
      "--set",
      "limits.run-cost.warn=$0.15",
      "--set",
      "limits.run-cost.stop=$0.35",
    );
    expect(said).toEqual([
      "run-cost warn @0",
      "failing-call hint @2",
      "run-cost halt @2",
      "failing-call warn @3",
      "failing-call block @4",
    ]);
  });

  test("how many runs each limit would have ended, and what that would have saved", async () => {
    const limits = ["--set", "limits.turns.stop=2", "--set", "limits.time.stop=1h", "--policy", "off"];
    const { out } = await analyze(limits, fakeIo({ stdin: stuckRun("a", 6) + stuckRun("b", 3) + stuckRun("c", 2) }));
    expect(out.split("\n").slice(3)).toEqual([
      "BY LIMIT  RUNS ENDED  CALLS SAVED  COST SAVED",
      "turns              2            5       $0.50",
      "time               0            0       $0.00",
      "Saved is what these runs did after the limit; whether they would have been",
      "missed is not known.",
      "",
    ]);
  });

  test.each([
    ["turns.stop=2", "turns halt @1"],
    ["turns.warn=4", "turns warn @3"],
    ["run-tokens.stop=250", "run-tokens halt @1"],
    ["time.stop=50s", "time halt @2"],
  ])("%s", async (limit, said) => {
    const call = { name: "bash", args: {}, result: "ok" };
    const steps = Array.from({ length: 6 }, (_, turn) => ({
      at: 1_000_000 + turn * 20_000,
      usage: { inputTokens: 100 },
      calls: [call],
    }));
    expect(
      (await reported(JSON.stringify({ id: "a", steps }), "--policy", "off", "--set", `limits.${limit}`)).said,
    ).toEqual([said]);
  });

  test("one budget applies to the whole recording, across all its users", async () => {
    const steps = Array.from({ length: 6 }, (_, turn) => ({
      turn,
      user: true,
      calls: [{ name: "bash", args: { turn }, result: "ok" }],
    }));
    const { said } = await reported(
      JSON.stringify({ id: "a", steps }),
      "--policy",
      "off",
      "--set",
      "limits.turns.warn=3",
      "--set",
      "limits.turns.stop=4",
    );
    expect(said).toEqual(["turns warn @2", "turns halt @3"]);
  });

  test("--explain shows where the run would have ended and the unpaid rest", async () => {
    const { out } = await analyze(
      ["--explain", "--policy", "off", "--set", "limits.run-cost.stop=$0.25"],
      fakeIo({ stdin: stuckRun("a", 6), columns: 200 }),
    );
    expect(out).toContain(
      "The limit run-cost: reached in turn 3.\n  The guardian would have ended the run after call 2.\n" +
        "  It would have said: “This run has used $0.30 of $0.25",
    );
    expect(out).toContain("4 calls and $0.30 followed in the recording");
  });

  test("money without prices cannot be counted, which is an error or a warning", async () => {
    const limit = ["--set", "limits.run-cost.stop=$0.25"];
    for (const run of [cleanRun("a"), JSON.stringify({ id: "a", steps: [{ usage: { inputTokens: 9 } }] })]) {
      const { said, messages } = await reported(run, ...limit);
      expect([said, messages[0]]).toEqual([
        ["run-cost halt @-1"],
        expect.stringMatching(/\$0\.25 .* cannot be held: the price .* not known/),
      ]);
      expect((await reported(run, ...limit, "--set", "unpriced=count-tokens")).said).toEqual(["run-cost warn @-1"]);
    }
    const { out } = await analyze(["--explain", ...limit], fakeIo({ stdin: cleanRun("a"), columns: 200 }));
    expect(out).toContain("  The guardian would have ended the run before the first call.\n");
  });

  test.each([
    [["--policy", "ryvos"], "the limit context is not checked: recordings do not contain the amount used"],
    [
      ["--set", "limits.month-cost.stop=$5", "--set", "limits.day-cost.warn=$1"],
      "the limits day-cost, month-cost are not checked: recordings do not contain the amount used",
    ],
  ])("%j: limits that recordings do not contain are reported and not checked", async (args, sentence) => {
    const { code, out, err } = await analyze(["--json", ...args], fakeIo({ stdin: cleanRun("a") }));
    expect([code, err, JSON.parse(out).runs[0].interventions]).toEqual([0, `sheepdog: ${sentence}\n`, []]);
  });
});

describe("findings without a call", () => {
  test("a chant in the text of a step comes before its calls", async () => {
    const chanting = `Let me see. ${"I will read the file again. ".repeat(40)}`;
    const { said, stuck } = await reported(talkingRun("a", ["Hello.", chanting, "Done."], 2));
    expect({ said, stuck }).toEqual({ said: ["chant hint @1"], stuck: null });
    expect((await reported(talkingRun("a", [chanting, chanting, "Done."]))).said).toEqual([
      "chant hint @-1",
      "chant warn @-1",
    ]);
  });

  test("a monologue", async () => {
    const { said, messages } = await reported(
      talkingRun("a", Array(4).fill("I will now start with the implementation of the parser.")),
    );
    expect(said).toEqual(["monologue hint @-1", "monologue warn @-1"]);
    expect(messages[0]).toContain("3 replies in a row said much the same");
    const { out } = await analyze([], fakeIo({ stdin: talkingRun("a", Array(4).fill("I will now start.")) }));
    expect(out).toContain("in one run; it did not go in circles. The guardian would\nstill have spoken in it.\n");
  });
});

describe("the rules of the seed systems", () => {
  test("aar ends the run at the fourth equal step, before it is executed", async () => {
    const { said, stuck } = await reported(stuckRun("a", 6), "--policy", "aar");
    expect({ said, stuck }).toEqual({ said: ["seed-aar halt @2"], stuck: { from: 1, to: 5, calls: 5, costUsd: 0.5 } });
    expect((await reported(stuckRun("a", 3), "--policy", "aar")).said).toEqual([]);
  });

  test("aar judges a step when all its calls are there, by the beginning of their arguments", async () => {
    const step = (turn: number) => ({
      turn,
      calls: ["a", "b"].map((name) => ({ name, args: { text: "one word ".repeat(25) + turn }, result: `${turn}` })),
    });
    const run = JSON.stringify({ id: "a", steps: [0, 1, 2, 3].map(step) });
    expect((await reported(run, "--policy", "aar")).said).toEqual(["seed-aar halt @6"]);
    expect((await reported(run, "--policy", "aar", "--set", "argumentChars=off")).said).toEqual([]);
  });

  test.each([
    ["ryvos", ["seed-ryvos hint @2", "seed-ryvos warn @5", "seed-ryvos warn @8", "seed-ryvos halt @11"]],
    ["llm-rb", ["seed-llm-rb block @1"]],
    [
      "tool-guardrails",
      ["seed-tool-guardrails warn @2", "seed-tool-guardrails block @4", "seed-tool-guardrails halt @7"],
    ],
  ])("%s", async (policy, said) => {
    const { said: interventions, stuck } = await reported(stuckRun("a", 12), "--policy", policy);
    expect([interventions, stuck]).toEqual([said, expect.objectContaining({ to: 11 })]);
  });
});

describe("unreadable input ends with 2 and a sentence", () => {
  test.each([
    ["a missing file", "nope.jsonl", undefined, "there is no such file or directory"],
    ["an empty file", "empty.jsonl", "", "it is empty"],
    ["a blank file", "blank.jsonl", "\n\n", "it holds blank lines only, no run"],
    ["binary garbage", "garbage.jsonl", new Uint8Array(5_000).fill(0x00, 3), "it is binary, not text"],
    ["a file of bad lines", "bad.jsonl", "{hello\n{world\n", "and 1 more line"],
    ["a text", "notes.txt", "hello\nworld\n", "it holds text that is not JSON, in no format that can be read"],
  ])("%s", async (_, name, content, sentence) => {
    const { code, out, err } = await analyze([await file(name, content)]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
  });

  test("a directory without recordings", async () => {
    await file("dir/notes.txt", "hello");
    const { code, err } = await analyze([await file("dir")]);
    expect([code, err.includes("there are no recordings (*.jsonl")]).toEqual([2, true]);
  });

  test("--json prints a document all the same", async () => {
    const { code, out } = await analyze(["--json", await file("nope.jsonl")]);
    expect([code, JSON.parse(out)]).toMatchObject([2, { runs: [], totals: { runs: 0 }, skippedCount: 1 }]);
  });
});

describe("--fail-on ends with 5 at its level or above", () => {
  test.each([
    ["any", 3, 5],
    ["hint", 3, 5],
    ["warn", 3, 0],
    ["warn", 4, 5],
    ["halt", 7, 0],
    ["halt", 8, 5],
    ["any", 2, 0],
    ["stuck>60%", 3, 5],
    ["stuck > 66.6 %", 3, 5],
    ["stuck>67%", 3, 0],
  ])("%s with %i equal calls: %i", async (level, times, code) => {
    expect((await analyze(["--fail-on", level], fakeIo({ stdin: stuckRun("a", times) }))).code).toBe(code);
  });
});

test("--fail-on says which condition is met, and by how much", async () => {
  const stdin = stuckRun("a", 3) + cleanRun("b");
  const { code, err } = await analyze(
    ["--fail-on", "stuck > 10%", "--fail-on", "hint", "--fail-on", "halt"],
    fakeIo({ stdin }),
  );
  expect([code, err]).toEqual([
    5,
    "sheepdog: --fail-on stuck>10%: 50 % (2 of 4 calls)\nsheepdog: --fail-on hint: reached in 1 of 2 runs\n",
  ]);
});

describe("a machine", () => {
  test("without recordings: the places that were searched, and the demo", async () => {
    const { code, out, err } = await analyze([], fakeIo({ isTTY: true, columns: 80, env: { NO_COLOR: "1" } }));
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(
      /^No agent has left a recording here yet\. These places were searched:\n\n {2}Claude Code {3}~\/\.claude/,
    );
    expect(out).toContain("without an API key:\n  sheepdog demo\n");
  });

  test("without recordings says so, too, where only some runs are wanted", async () => {
    for (const filter of [
      ["--since", "7d"],
      ["--agent", "codex"],
      ["--project", "."],
    ]) {
      const { code, out, err } = await analyze(filter, fakeIo({ env: { HOME: await file("empty-home") } }));
      expect([code, out.startsWith("No agent has left a recording here yet."), err]).toEqual([0, true, ""]);
    }
  });

  test("with recordings of an agent, which are found without a path", async () => {
    const env = { HOME: await file("claude-home") };
    await file(
      "claude-home/.claude/projects/-home-ada-shop/a.jsonl",
      claudeSession("a", "/home/ada/shop", [{ request: "1" }]),
    );
    const { code, out } = await analyze([], fakeIo({ env }));
    expect([code, out.includes("Claude Code")]).toEqual([0, true]);
    const codex = await analyze(["--agent", "codex"], fakeIo({ env }));
    expect([codex.code, codex.err]).toEqual([
      0,
      "sheepdog: no recorded run matches --agent codex; leave it out to see all runs\n",
    ]);
  });

  test("what no run matches says which runs there are", async () => {
    const steps = [{ turn: 0, text: "Done.", at: Date.UTC(2025, 10, 3, 12), calls: [] }];
    const line = (id: string, project: string) => `${JSON.stringify({ id, source: "codex", project, steps })}\n`;
    const path = await file("old.jsonl", line("a", "/home/ada/shop") + line("b", "/home/ada/shop") + line("c", "/api"));
    const since = await analyze(["--since", "1h", path]);
    expect([since.code, since.out, since.err]).toEqual([
      0,
      "",
      expect.stringMatching(
        /^sheepdog: no recorded run matches --since 1h; the newest run is one of Codex of \S+: sheepdog show rec_\w+\n/,
      ),
    ]);
    expect((await analyze(["--project", "nosuch", path])).err).toBe(
      "sheepdog: no recorded run matches --project nosuch; agents worked in /home/ada/shop, /api\n",
    );
  });

  test.each([
    [["swep"], "sheepdog: there is no file swep; did you mean: analyze sweep?\n"],
    [
      ["--explain", "costs"],
      "sheepdog: --explain costs: it must be findings or cost, or a recording, and there is no file costs; " +
        "did you mean cost?\n",
    ],
    [
      ["--explain=nope"],
      "sheepdog: --explain nope: it must be findings or cost, or a recording, and there is no file nope\n",
    ],
  ])("%j is a misspelled word, not a path", async (args, err) => {
    expect(await analyze(args)).toEqual({ code: 2, out: "", err });
  });

  test.each([
    [["--top", "0"], "--top 0: it must be a whole number above 0"],
    [["--since", "soon"], "--since soon: it must be an age such as"],
    [["--agent", "clippy"], '--agent: the agent "clippy" is unknown; known are'],
    [["--fail-on", "stuck>many"], "--fail-on stuck>many: it must be hint, warn, block, halt, any, or a share such as"],
    [["--set", "doom_loop_treshold=5"], 'there is no key "doom_loop_treshold"; did you mean "doom_loop_threshold"?'],
    [["--set", "max_turns=many"], "--set max_turns=many: it must be a whole number of at least 0"],
  ])("%j is a usage error", async (args, sentence) => {
    const { code, err } = await analyze([...args, await file("runs.jsonl", cleanRun("a"))]);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

describe("tables and forms", () => {
  test("--by prints one table in full", async () => {
    const { out } = await analyze(["--by", "cause"], fakeIo({ stdin: stuckRun("a", 9) }));
    expect(out.split("\n").slice(2)).toEqual([
      "BY CAUSE               RUNS  CALLS   COST",
      "the same failing call     1      8  $0.80  ████████████",
      "",
    ]);
  });

  test("40 columns: no bars, whole names, whole commands, and no cause without a call", async () => {
    const chant = talkingRun("c", Array(5).fill("I will now start with the implementation of the parser."));
    const changing = stuckRun("b", 9).replaceAll('"isError":true', '"isError":false');
    const { out } = await analyze([], fakeIo({ stdin: stuckRun("a", 9) + changing + chant, columns: 40 }));
    const lines = out.split("\n");
    expect(lines.slice(4, 7)).toEqual([
      "BY CAUSE               CALLS   COST",
      "the same failing call      8  $0.80",
      "the same change again      8  $0.80",
    ]);
    expect(lines.slice(-3)).toEqual([
      "The evidence: sheepdog analyze --explain",
      "Other limits: sheepdog analyze sweep",
      "",
    ]);
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
  });

  test("--by has a total, and where hardly anything went in circles, the dearest come first", async () => {
    const steps = Array.from({ length: 300 }, (_, turn) => ({
      turn,
      text: "",
      usage: { costUsd: 1 },
      calls: [{ name: "read", args: { path: `${turn}` }, result: `${turn * 7919}` }],
    }));
    const stdin = `${stuckRun("a", 3)}${JSON.stringify({ id: "b", source: "codex", steps })}\n`;
    const table = async (...args: readonly string[]) =>
      (await analyze(["--by", "agent", ...args], fakeIo({ stdin }))).out.split("\n").slice(3);
    expect(await table()).toEqual([
      "BY AGENT   COST IN CIRCLES  CALLS IN CIRCLES",
      "Codex     $0.00 of $300.00          0 of 300  ████████████",
      "test        $0.20 of $0.30            2 of 3  ▏",
      "total     $0.20 of $300.30          2 of 303",
      "",
    ]);
    expect((await table("--sort", "cost"))[1]).toBe("test        $0.20 of $0.30            2 of 3  ████████████");
  });

  test("--explain cost says how the money was counted", async () => {
    const { out } = await analyze(["--explain", "cost"], fakeIo({ stdin: stuckRun("a", 9), columns: 120 }));
    expect(out).toMatch(/^\$0\.90 in all: \$0\.90 as the agents recorded it\.\n\nMODEL +COST +INPUT +CACHED/);
    expect(out).toContain("Prices: [budget.pricing_overrides] of your configuration, then the list of @pydantic/");
  });

  test("tokens without a price are told below the tables, with a command that has no price in it", async () => {
    const priced = (model: string) => {
      const step = { turn: 0, text: "Done.", usage: { inputTokens: 1_200_000 }, calls: [] };
      return fakeIo({ stdin: JSON.stringify({ id: "a", source: "codex", model, steps: [step] }) });
    };
    const { out } = await analyze([], priced("foo-9"));
    expect(out.split("\n").slice(0, 7)).toEqual([
      "Codex made 0 calls in one run; it did not go in circles.",
      "",
      "Not in these sums, since the price is not known: 1.2 M tokens of foo-9.",
      "To set a price, in cents for a million tokens:",
      "  sheepdog config set budget.pricing_overrides.foo-9 \\",
      "    '{ input = CENTS, output = CENTS, cache_read = CENTS }'",
      "",
    ]);
    const free = await analyze([], priced("foo-9:free"));
    expect(free.out).toContain("'{ input = 0, output = 0, cache_read = 0 }'");
  });

  test("--skipped names every line, and else there is one sentence a file", async () => {
    const path = await file("runs.jsonl", `${cleanRun("a")}[]\n{"id":1}\n[]\n`);
    const short = await analyze([path]);
    expect(short.err).toBe(`sheepdog: ${path}:2: this line is a list; it must be an object, and 2 more lines\n`);
    expect((await analyze(["--skipped", path])).err.trimEnd().split("\n")).toHaveLength(3);
  });
});

describe("analyze sweep", () => {
  test("compares limits, and prints the configuration of one", async () => {
    const good = stuckRun("good", 7).replace('"id":"good"', '"id":"good","outcome":"success"');
    const { code, out } = await analyze(["sweep", "--limit", "9"], fakeIo({ stdin: stuckRun("bad", 12) + good }));
    expect(code).toBe(0);
    const lines = out.split("\n");
    expect(lines.slice(0, 11)).toEqual([
      "What a limit on equal calls would have saved in 2 runs: 1 ended well, 0 did not,",
      "and of 1 it is not recorded how it ended. → marks the limit of your",
      "configuration; other agents do not have it.",
      "",
      "  LIMIT  SAVED  CALLS  GOOD RUNS STOPPED  BAD  UNKNOWN",
      "      6  $0.60      6                  1    0        1  ██████████████",
      "      7  $0.50      5                  1    0        1  ███████████▋",
      "    → 8  $0.40      4                  0    0        1  █████████▍",
      "      9  $0.30      3                  0    0        1  ███████",
      "     10  $0.20      2                  0    0        1  ████▋",
      "     11  $0.10      1                  0    0        1  ██▍",
    ]);
    expect(lines).toContain("  failing-call = { hint = 3, warn = 3, block = 3, halt = 9 }");
  });

  test("recommends no limit that its configuration cannot reach", async () => {
    const good = stuckRun("good", 13).replace('"id":"good"', '"id":"good","outcome":"success"');
    const { out } = await analyze(["sweep"], fakeIo({ stdin: stuckRun("bad", 15) + good }));
    expect(out.split("\n").slice(-3)).toEqual([
      "No limit up to 10 saves something without stopping a good run. Higher ones need",
      "other settings as well; to see them: sheepdog analyze sweep --limit 14",
      "",
    ]);
  });

  test("has options of its own behind those of analyze", async () => {
    const { out } = await analyze(["sweep", "--by", "turns", "--json"], fakeIo({ stdin: stuckRun("a", 12) }));
    expect(JSON.parse(out)).toMatchObject({
      schemaVersion: 1,
      by: "turns",
      currentLimit: 25,
      runs: 1,
      goodRuns: 0,
      unknownRuns: 1,
    });
  });
});
