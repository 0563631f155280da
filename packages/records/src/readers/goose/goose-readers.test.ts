import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { collected } from "../../../test/builders.ts";
import { createDatabase } from "../../../test/fixtures/databases/create-database.ts";
import { fillGooseDatabase } from "../../../test/fixtures/databases/goose-database.ts";
import { expectedGooseDatabase, expectedGooseLines } from "../../../test/fixtures/expected/goose.ts";
import { fixturePath } from "../../../test/fixtures/home.ts";
import { readText } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";
import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import { readRecordingFile } from "../read-recording-file.ts";
import { gooseLinesReader } from "./goose-lines-reader.ts";

const session = fixturePath(".local/share/goose/sessions/20251103_090000.jsonl");
const read = (path: string) => collected(readRecordingFile(path));
const calls = (run: RecordedRun | undefined) =>
  run?.steps.map((step) => step.calls.map(({ name, result, isError, status }) => [name, result, isError, status]));

describe("the database of goose", () => {
  test("has the totals that a person counts", async () => {
    const { runs, skipped } = await read(await createDatabase("sessions.db", fillGooseDatabase));
    expect(totalsOf(runs)).toEqual(expectedGooseDatabase);
    expect(skipped).toEqual([]);
  });

  test("gives each request of the ledger to its reply", async () => {
    const { runs } = await read(await createDatabase("sessions.db", fillGooseDatabase));
    expect(runs[0]?.steps.map(({ model, usage }) => [model, usage?.inputTokens, usage?.costUsd])).toEqual([
      ["claude-sonnet-4-5", 1_000, 0.004],
      ["claude-sonnet-4-5", 1_100, 0.002],
      ["claude-haiku-4-5", 300, 0.001],
    ]);
  });

  test("with an endless view in place of the ledger is read without it", async () => {
    const path = await createDatabase("sessions.db", (database) => {
      fillGooseDatabase(database, false);
      database.exec(`CREATE VIEW usage_ledger AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
        SELECT x AS id, 'a' AS session_id FROM n WHERE x < 0`);
    });
    expect((await read(path)).runs[0]?.steps[0]?.usage).toMatchObject({ inputTokens: 2_400, isSum: true });
  });

  test("without a ledger has the sum of the session at its first step", async () => {
    const path = await createDatabase("sessions.db", (database) => fillGooseDatabase(database, false));
    const { runs } = await read(path);
    expect(runs[0]?.steps.map(({ usage }) => usage)).toEqual([
      {
        inputTokens: 2_400,
        cacheReadTokens: 900,
        outputTokens: 120,
        costUsd: 0.007,
        isSum: true,
        request: "20261103_1",
      },
      undefined,
      undefined,
    ]);
    expect(runs[0]?.counting).toEqual({ syntheticReplies: 1 });
  });

  test("connects a subagent, and tells a person's prompt from a summary", async () => {
    const { runs } = await read(await createDatabase("sessions.db", fillGooseDatabase));
    expect(runs.map(({ id, parent, task }) => [id, parent, task])).toEqual([
      ["20261103_1", undefined, "Review the cart"],
      ["20261103_2", "20261103_1", "Check the tax"],
    ]);
    expect(calls(runs[0])).toEqual([
      [
        ["delegate", "The tax is fine", false, undefined],
        ["shell", "1 failed", true, undefined],
      ],
      [["write", expect.stringContaining("The user has declined"), true, "denied"]],
      [],
    ]);
    expect(runs[0]?.steps[0]?.calls[0]?.child).toBe("20261103_2");
    expect(runs.map((run) => run.steps.map(({ user, compacted }) => [user, compacted]))).toEqual([
      [
        [true, undefined],
        [undefined, undefined],
        [undefined, true],
      ],
      [[undefined, undefined]],
    ]);
  });

  test("loses only the messages that are damaged", async () => {
    const path = await createDatabase("sessions.db", (database) => {
      fillGooseDatabase(database);
      database.exec("UPDATE messages SET content_json = '{ this is not JSON' WHERE message_id = 'm4'");
    });
    const { runs, skipped } = await read(path);
    expect(runs.map((run) => run.steps.length)).toEqual([2, 1]);
    expect(skipped).toEqual([{ file: path, line: 1, why: "message 5: content_json is not a JSON list" }]);
  });
});

describe("a session file of goose", () => {
  test("has the totals that a person counts, and its calls tell why they failed", async () => {
    const { runs, skipped } = await read(session);
    expect(totalsOf(runs)).toEqual(expectedGooseLines);
    expect(skipped).toEqual([]);
    expect(calls(runs[0])).toEqual([
      [
        ["developer__shell", "2 errors", false, undefined],
        ["unknown", expect.stringContaining("-32602"), true, "invalid-arguments"],
      ],
      [["developer__rm", expect.stringContaining("not found"), true, "unknown-tool"]],
      [],
    ]);
  });

  test("that is cut off, or has lines of others in it, loses only these lines", async () => {
    const lines = readFileSync(session, "utf8").trimEnd().split("\n");
    const text = [
      ...lines.slice(0, 3),
      '{"type":"session_meta","payload":{}}',
      ...lines.slice(3, 6),
      "{oops",
      lines[6]?.slice(0, 50),
    ];
    const { runs, skipped } = await readText(text.join("\n"));
    expect(runs.map(({ id, steps }) => [id, steps.length])).toEqual([["renamed.txt", 2]]);
    expect(skipped.map(({ line }) => line)).toEqual([8, 9, 4]);
  });

  test("is recognized by its first line, and those of other formats are not", () => {
    const [head = ""] = readFileSync(session, "utf8").split("\n");
    expect(gooseLinesReader.recognizes([JSON.parse(head)])).toBe(true);
    const others = [
      { type: "session_meta", payload: {} },
      { type: "user", uuid: "u", message: { role: "user", content: "" } },
      { sessionId: "s", projectHash: "h", startTime: "" },
      { role: "user", content: "" },
      { id: "r", steps: [] },
    ];
    expect(others.filter((other) => gooseLinesReader.recognizes([other]))).toEqual([]);
  });
});
