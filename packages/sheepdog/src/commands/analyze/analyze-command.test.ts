import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type FakeIo, fakeIo } from "../../../test/fake-io.ts";
import { cleanRun, stuckRun, talkingRun } from "../../../test/recordings.ts";
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

describe("what can be read", () => {
  test("the table has runs with findings first, then the sums", async () => {
    const { code, out, err } = await analyze([await file("runs.jsonl", cleanRun("clean") + stuckRun("stuck"))]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.split("\n")).toEqual([
      "RUN    SOURCE/MODEL  CALLS  FIRST FINDING         STUCK    COST",
      "stuck  test/m            3  failing-call hint @3      2  $0.300",
      "clean                    1  -                         -       -",
      "",
      "2 runs with 4 calls in 4 turns, $0.300; 1 stuck for 2 calls, $0.200 of the cost.",
      "",
    ]);
  });

  test("--json is one document that keeps the contract", async () => {
    const { code, out } = await analyze(["--json", await file("runs.jsonl", `${stuckRun("a")}oops\n${cleanRun("b")}`)]);
    const report = JSON.parse(out);
    expect(code).toBe(0);
    expect(Object.keys(report)).toEqual(["schemaVersion", "runs", "totals", "skipped", "skippedCount"]);
    expect(Object.keys(report.runs[0])).toEqual([
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
    expect(report.totals).toEqual({
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
    expect((await analyze([], fakeIo({ stdin: stuckRun("a") }))).out).toContain("failing-call");
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
    const { code, out } = await analyze([await file("runs.jsonl", huge + stuckRun("after"))]);
    expect([code, out.includes("longer than 64 MiB"), out.includes("after")]).toEqual([0, true, true]);
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

  test("--explain shows the calls of each finding and the spending after a halt", async () => {
    const { out } = await analyze(["--explain"], fakeIo({ stdin: stuckRun("a", 10) }));
    expect(out).toContain(
      "  failing-call: hint after call 3, turn 3\n    call 1  bash make\n    call 2  bash make\n    call 3  bash " +
        "make\n    Would have said: ",
    );
    expect(out).toContain("Would have ended the run here. 2 calls and $0.200 followed");
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
      "  run-cost: halt after call 2, turn 3\n    Would have said: This run has used $0.30 of $0.25",
    );
    expect(out).toContain("Would have ended the run here. 4 calls and $0.300 followed");
    expect(out).toContain("run-cost halt @2 ");
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
    expect(out).toContain("  run-cost: halt before the first call, turn 1\n");
    expect(out).toContain("run-cost halt @start");
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
    expect(out).toContain("monologue hint @start");
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
      calls: ["a", "b"].map((name) => ({ name, args: { text: "x".repeat(200) + turn }, result: `${turn}` })),
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
    ["a file of bad lines", "bad.jsonl", "hello\nworld\n", "and 1 more line"],
  ])("%s", async (_, name, content, sentence) => {
    const { code, out, err } = await analyze([await file(name, content)]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
  });

  test("a directory without recordings", async () => {
    await file("dir/notes.txt", "hello");
    const { code, err } = await analyze([await file("dir")]);
    expect([
      code,
      err.includes("there are no recordings (*.jsonl, *.jsonl.gz, *.jsonl.zst, *.ndjson) in this directory"),
    ]).toEqual([2, true]);
  });

  test("a terminal and no path", async () => {
    const { code, err } = await analyze([], fakeIo({ isTTY: true }));
    expect([code, err.includes("no recordings given")]).toEqual([2, true]);
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
  ])("%s with %i equal calls: %i", async (level, times, code) => {
    expect((await analyze(["--fail-on", level], fakeIo({ stdin: stuckRun("a", times) }))).code).toBe(code);
  });
});
