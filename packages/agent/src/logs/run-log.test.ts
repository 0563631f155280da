import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AgentEvent, AgentEventBody } from "../protocol/events.ts";
import { readRunLog } from "./read-run-log.ts";
import { createRunLog, type RunLogOptions } from "./run-log.ts";

const ids = { sessionId: "ses_1", runId: "run_1" };
const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false };
const bodies: readonly AgentEventBody[] = [
  { type: "RunStarted", prompt: "fix it" },
  { type: "TurnStarted", turn: 1 },
  { type: "TextDelta", text: "well" },
  { type: "ToolStart", callId: "c1", tool: "bash", input: { command: "npm test" } },
  { type: "ToolEnd", callId: "c1", tool: "bash", status: "ok", content: "passed", ms: 3 },
  { type: "GuardianRecovered", episode: "e1" },
  { type: "TurnComplete", turn: 1 },
  {
    type: "RunComplete",
    result: {
      ...ids,
      state: "completed",
      reason: "answered",
      exitCode: 0,
      text: "done",
      turns: 1,
      usage,
      costNanoUsd: 7,
      interventions: [],
    },
  },
];
const events = bodies.map((body, n): AgentEvent => ({ ...body, seq: n + 1, at: 100 + n, ...ids, severity: "info" }));
const first = events[0] as AgentEvent; // there are eight
const turnOf = (turn: number): AgentEvent => ({ ...first, type: "TurnStarted", turn }) as AgentEvent;

let dir: string;
let problems: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "run-log-"));
  problems = [];
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const file = () => join(dir, "ses_1", "run_1.jsonl");
const openLog = (options: Partial<RunLogOptions> = {}) =>
  createRunLog({ dir, ...ids, level: 3, onProblem: (problem) => problems.push(problem), ...options });
const logged = (options: Partial<RunLogOptions> = {}, logEvents: readonly AgentEvent[] = events) => {
  const log = openLog(options);
  for (const event of logEvents) log.write(event);
  log.close();
};
const types = async () => (await readRunLog({ dir, ...ids })).lines.map(({ type }) => type);

describe("the content of a log", () => {
  test("level 1: prompt and result, with cost and duration", async () => {
    logged({ level: 1 });
    const { lines, problems: readProblems } = await readRunLog({ dir, ...ids });
    expect(readProblems).toEqual([]);
    expect(lines).toEqual([
      { level: 1, ...events[0] },
      { level: 1, ...events[7], durationMs: 7 },
    ]);
  });

  test("level 2: also turns and the guardian", async () => {
    logged({ level: 2 });
    expect(await types()).toEqual(["RunStarted", "TurnStarted", "GuardianRecovered", "TurnComplete", "RunComplete"]);
  });

  test("level 3: also calls with input and output, but no deltas", async () => {
    logged();
    expect(await types()).toEqual([
      "RunStarted",
      "TurnStarted",
      "ToolStart",
      "ToolEnd",
      "GuardianRecovered",
      "TurnComplete",
      "RunComplete",
    ]);
  });

  test("replies are logged from level 2 on, thinking at level 3, and the end of a turn has its text", async () => {
    const reply: AgentEvent = { ...first, type: "StreamEnd", isComplete: true, text: "Well.", thinking: "Hm." };
    const failed: AgentEvent = { ...first, type: "StreamEnd", isComplete: false, problem: "It broke." };
    const turnEnd: AgentEvent = { ...first, type: "TurnComplete", turn: 1 };
    logged({ level: 2 }, [failed, reply, turnEnd]);
    const { lines } = await readRunLog({ dir, ...ids });
    expect(lines[1]).toMatchObject({ text: "Well." });
    expect(lines[1]).not.toHaveProperty("thinking");
    expect(lines[2]?.reply?.text).toBe("Well.");
    rmSync(file());
    logged({ level: 3 }, [reply]);
    expect((await readRunLog({ dir, ...ids })).lines).toMatchObject([{ text: "Well.", thinking: "Hm." }]);
  });

  test("events of other runs are not logged", async () => {
    logged({}, [first, { ...first, runId: "run_2" }, { ...first, sessionId: "ses_2" }]);
    expect(await types()).toEqual(["RunStarted"]);
  });

  test("long inputs and outputs are shortened in the middle", async () => {
    const content = `begin${"x".repeat(5_000)}end`;
    const input = { text: content };
    logged({ maxChars: 100 }, [{ ...events[4], content } as AgentEvent, { ...events[3], input } as AgentEvent]);
    const { lines } = await readRunLog({ dir, ...ids });
    expect(lines[0]).toMatchObject({
      content: expect.stringMatching(/^begin.{20,90}4908 characters left out.{20,90}end$/),
    });
    expect(JSON.stringify(lines[1]).length).toBeLessThan(500);
  });

  test("each line is on the disk before the next event", () => {
    const log = openLog();
    for (const [n, event] of events.slice(0, 2).entries()) {
      log.write(event);
      expect(readFileSync(file(), "utf8").match(/\n/g)).toHaveLength(n + 1);
    }
    log.close();
  });
});

describe("access to a log", () => {
  test("only the owner can read it, whatever the umask and the earlier permissions are", () => {
    const before = process.umask(0);
    try {
      mkdirSync(join(dir, "logs"), { mode: 0o755 });
      mkdirSync(join(dir, "logs", "ses_1"), { mode: 0o777 });
      writeFileSync(join(dir, "logs", "ses_1", "run_1.jsonl"), "", { mode: 0o666 });
      logged({ dir: join(dir, "logs") });
      logged({ dir: join(dir, "new") });
    } finally {
      process.umask(before);
    }
    for (const path of ["new", "new/ses_1", "logs/ses_1"])
      expect(lstatSync(join(dir, path)).mode & 0o777, path).toBe(0o700);
    for (const path of ["new/ses_1/run_1.jsonl", "logs/ses_1/run_1.jsonl"])
      expect(lstatSync(join(dir, path)).mode & 0o777, path).toBe(0o600);
  });

  test("a link in place of the file is not followed", () => {
    writeFileSync(join(dir, "victim"), "precious");
    mkdirSync(join(dir, "ses_1"));
    symlinkSync(join(dir, "victim"), file());
    logged();
    expect(readFileSync(join(dir, "victim"), "utf8")).toBe("precious");
    expect(problems).toEqual([expect.stringMatching(/^The run is not logged: ELOOP/)]);
  });

  test("a link in place of the session folder is not followed", () => {
    mkdirSync(join(dir, "elsewhere"));
    symlinkSync(join(dir, "elsewhere"), join(dir, "ses_1"));
    logged();
    expect(readdirSync(join(dir, "elsewhere"))).toEqual([]);
    expect(problems).toEqual([expect.stringContaining("found a link or a file")]);
  });

  const longId = "x".repeat(129);
  const pathIds = ["../x", "..", ".", "", "a/b", ".hidden", "a.1"];
  const invalidIds = [...pathIds, "*", "a\u0000b", "\u001b[2J", longId, "-rf", "é"];
  test.each(invalidIds)("the id %j names no log", async (id) => {
    logged({ sessionId: id });
    logged({ runId: id });
    expect(problems).toEqual([expect.stringContaining("The session id"), expect.stringContaining("The run id")]);
    for (const odd of ["\u0000", "\u001b"]) expect(problems[0]).not.toContain(odd);
    expect(readdirSync(dir)).toEqual([]);
    expect(await readRunLog({ dir, sessionId: id, runId: "run_1" })).toMatchObject({
      lines: [],
      problems: [expect.stringContaining("cannot name a log")],
    });
  });
});

describe("when the disk fails", () => {
  test("the run continues, and the problem is reported once", () => {
    writeFileSync(join(dir, "file"), "");
    logged({ dir: join(dir, "file") });
    expect(problems).toEqual([expect.stringMatching(/^The run is not logged: (?:ENOTDIR|EEXIST)/)]);
  });

  test("a callback that throws does not end the run either", () => {
    mkdirSync(file(), { recursive: true });
    expect(() =>
      logged({
        onProblem: () => {
          throw new Error("worse");
        },
      }),
    ).not.toThrow();
  });

  test("logging continues when the disk works again, and half a line is removed", async () => {
    const log = openLog();
    log.write(turnOf(1));
    renameSync(file(), `${file()}.aside`);
    mkdirSync(file());
    log.write(turnOf(2));
    expect(problems).toHaveLength(1);
    rmSync(file(), { recursive: true });
    renameSync(`${file()}.aside`, file());
    appendFileSync(file(), '{"type":"TurnSta');
    log.write(turnOf(3));
    log.close();
    expect((await readRunLog({ dir, ...ids })).lines).toMatchObject([{ turn: 1 }, { turn: 3 }]);
    expect(problems).toHaveLength(1);
  });
});

describe("a log file that was truncated, moved or has become large", () => {
  const completeLine = JSON.stringify(turnOf(1));

  test.each([
    ["half a line", `${completeLine}\n{"type":"Turn`, 1],
    ["half a line and zeros", `${completeLine}\n{"type":"Turn${"\0".repeat(5_000)}`, 1],
    ["zeros only", `${completeLine}\n${"\0".repeat(100_000)}`, 1],
    ["a complete line without its end", completeLine, 1],
    ["a complete line, then zeros", `${completeLine}${"\0".repeat(10)}`, 1],
    ["half a character", `${completeLine}\n{"a":"\ufffd`, 1],
    ["nothing but half a line", '{"type"', 0],
    ["a very long half line", `${completeLine}\n{"type":"${"x".repeat(200_000)}`, 1],
    ["nothing", "", 0],
  ])("with %s at the end is repaired when the log is opened again", async (_, content, remaining) => {
    mkdirSync(join(dir, "ses_1"));
    writeFileSync(file(), content);
    logged({}, [turnOf(2)]);
    const { lines, problems: readProblems } = await readRunLog({ dir, ...ids });
    expect(readProblems).toEqual([]);
    expect(lines).toHaveLength(remaining + 1);
    for (const row of readFileSync(file(), "utf8").trimEnd().split("\n")) expect(() => JSON.parse(row)).not.toThrow();
  });

  test("is read without invalid lines, which are reported", async () => {
    mkdirSync(join(dir, "ses_1"));
    writeFileSync(
      file(),
      `\ufeff${completeLine}\r\n\r\nnonsense\r\n[1]\r\n\0\0\0${completeLine}\r\n${completeLine.slice(0, 20)}`,
    );
    const { lines, problems: readProblems } = await readRunLog({ dir, ...ids });
    expect(lines).toEqual([turnOf(1), turnOf(1)]);
    expect(readProblems.map((problem) => problem.slice(file().length))).toEqual(
      [3, 4, 6].map((line) => `:${line}: not a whole line of JSON`),
    );
  });

  test("is reported when it is missing", async () => {
    expect(await readRunLog({ dir, ...ids })).toMatchObject({
      lines: [],
      problems: [expect.stringContaining("ENOENT")],
    });
  });

  test("is rotated at its maximum size, and the oldest parts are removed", async () => {
    logged(
      { maxBytes: 400, maxParts: 3 },
      Array.from({ length: 40 }, (_, n) => turnOf(n)),
    );
    const files = readdirSync(join(dir, "ses_1"));
    expect(files).toHaveLength(4);
    for (const name of files) expect(lstatSync(join(dir, "ses_1", name)).size, name).toBeLessThanOrEqual(400);
    const turns = (await readRunLog({ dir, ...ids })).lines.map((line) => (line as { turn?: number }).turn);
    expect(turns.at(-1)).toBe(39);
    expect(turns).toEqual(turns.map((_, n) => 40 - turns.length + n));
  });

  test("holds a single line that is larger than the maximum size", async () => {
    logged({ maxBytes: 50 });
    expect(await types()).toHaveLength(6); // five parts and the file
  });

  test("continues in a new file after it was moved or deleted", async () => {
    const log = openLog();
    log.write(turnOf(1));
    renameSync(file(), join(dir, "moved"));
    log.write(turnOf(2));
    rmSync(join(dir, "ses_1"), { recursive: true });
    log.write(turnOf(3));
    log.close();
    expect((await readRunLog({ dir, ...ids })).lines).toMatchObject([{ turn: 3 }]);
    expect(problems).toEqual([]);
  });
});
