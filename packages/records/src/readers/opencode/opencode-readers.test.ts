import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { collected } from "../../../test/builders.ts";
import { createDatabase, temporaryFolder } from "../../../test/fixtures/databases/create-database.ts";
import { fillOpencodeDatabase } from "../../../test/fixtures/databases/opencode-database.ts";
import * as expected from "../../../test/fixtures/expected/opencode.ts";
import { fixturePath } from "../../../test/fixtures/home.ts";
import { ownRuns } from "../../../test/own-runs.ts";
import { totalsOf } from "../../../test/totals.ts";
import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import { readRecordingFile } from "../read-recording-file.ts";
import { opencodeExportReader } from "./opencode-export-reader.ts";

const storage = fixturePath(".local/share/opencode/storage");
const exported = fixturePath("exports/opencode-session.json");
const read = (path: string) => collected(readRecordingFile(path));
const statuses = (run: RecordedRun | undefined) =>
  run?.steps.map(({ calls }) => calls.map(({ name, isError, status }) => [name, isError, ...(status ? [status] : [])]));

describe("the storage folder of opencode", () => {
  test("has the totals that a person counts", async () => {
    const { runs, skipped } = await read(storage);
    expect(totalsOf(runs)).toEqual(expected.expectedOpencodeStorage);
    expect(skipped).toEqual([]);
  });

  test("is read session by session, with a subagent after the session that started it", async () => {
    const { runs } = await read(storage);
    expect(runs.map(({ steps: _, ...run }) => run)).toEqual([
      {
        id: "ses_5a1shopmain",
        source: "opencode",
        model: "claude-sonnet-4-5",
        provider: "anthropic",
        task: "Fix the failing cart test",
        outcome: "MessageAbortedError",
        project: "/home/ada/shop",
        counting: { withoutUsage: 1 },
      },
      {
        id: "ses_5a0shopsub",
        source: "opencode",
        model: "claude-haiku-4-5",
        provider: "anthropic",
        task: "Find the tax table",
        project: "/home/ada/shop",
        parent: "ses_5a1shopmain",
      },
    ]);
  });

  test("tells the state of each call, although the model uses its ids again", async () => {
    const { runs } = await read(storage);
    expect(statuses(runs[0])).toEqual([
      [["bash", true]],
      [
        ["read", false],
        ["edit", true, "denied"],
      ],
      [["task", false]],
      [],
      [["bash", null, "interrupted"]],
    ]);
    expect(runs[0]?.steps[2]?.calls[0]?.child).toBe("ses_5a0shopsub");
  });

  test("marks a person's prompt and the step after a compaction, and neither for what opencode wrote", async () => {
    const { runs } = await read(storage);
    const marks = runs.map((run) => run.steps.map(({ user, compacted }) => [user, compacted]));
    const none = [undefined, undefined];
    expect(marks).toEqual([
      [[true, undefined], none, none, none, [undefined, true]],
      [none, none],
    ]);
  });

  test("loses only the message or the part that is damaged", async () => {
    const copy = join(temporaryFolder(), "storage");
    cpSync(storage, copy, { recursive: true });
    const part = join(copy, "part/msg_0003/prt_000301.json");
    const message = join(copy, "message/ses_5a0shopsub/msg_0103.json");
    writeFileSync(part, readFileSync(part, "utf8").slice(0, 60));
    writeFileSync(message, "[]");
    const { runs, skipped } = await read(copy);
    expect(runs.map((run) => run.steps.length)).toEqual([5, 1]);
    expect(skipped.map(({ line, why }) => [line, why.slice(copy.length)])).toEqual([
      [1, "/part/msg_0003/prt_000301.json: this is not JSON (it breaks at position 60)"],
      [2, "/message/ses_5a0shopsub/msg_0103.json: this is not a JSON object"],
    ]);
  });
});

describe("the database of opencode", () => {
  test("has the totals that a person counts, and those without the copies in a fork", async () => {
    const { runs } = await read(await createDatabase("opencode.db", fillOpencodeDatabase));
    expect(totalsOf(runs)).toEqual(expected.expectedOpencodeDatabase);
    expect(totalsOf(ownRuns(runs))).toEqual(expected.expectedOpencodeDatabaseWithoutCopies);
  });

  test("of Kilo says that it is Kilo's", async () => {
    const { runs } = await read(await createDatabase("kilo.db", fillOpencodeDatabase));
    expect(runs.map(({ source }) => source)).toEqual(["kilo", "kilo", "kilo"]);
    const folder = join(temporaryFolder(), "kilo", "storage");
    cpSync(storage, folder, { recursive: true });
    expect((await read(folder)).runs.map(({ source }) => source)).toEqual(["kilo", "kilo"]);
  });

  test("is read in both tables of messages, and unknown parts are reported once", async () => {
    const path = await createDatabase("renamed.sqlite", fillOpencodeDatabase);
    const { runs, skipped } = await read(path);
    expect(runs.map(({ id, task, counting }) => [id, task, counting])).toEqual([
      ["ses_main", "List the files", { rewoundMessages: 1 }],
      ["ses_fork", "List the files", undefined],
      ["ses_newer", "Count the files", undefined],
    ]);
    expect(statuses(runs[2])).toEqual([
      [
        ["bash", false],
        ["edit", true, "denied"],
      ],
      [],
    ]);
    expect(runs[2]?.steps.map(({ user, compacted }) => [user, compacted])).toEqual([
      [true, undefined],
      [undefined, true],
    ]);
    expect(skipped).toEqual([
      {
        file: path,
        line: 1,
        lines: 2,
        why: "entries that the reader of opencode recordings does not know were left out: part hologram ×2",
      },
    ]);
  });

  test("loses only the rows that are damaged", async () => {
    const path = await createDatabase("opencode.db", (database) => {
      fillOpencodeDatabase(database);
      database.exec("UPDATE message SET data = substr(data, 1, 20) WHERE id = 'msg_m2'");
      database.exec("UPDATE session_message SET data = 'null' WHERE id = 'msg_n1'");
      database.exec("UPDATE part SET data = x'00ff' WHERE id = 'prt_m4b'");
    });
    const { runs, skipped } = await read(path);
    expect(runs.map((run) => run.steps.length)).toEqual([1, 2, 1]);
    expect(skipped.filter(({ lines }) => lines === undefined)).toEqual([
      { file: path, line: 1, why: "message msg_m2 is not a JSON object" },
      { file: path, line: 1, why: "part prt_m4b is not a JSON object" },
      { file: path, line: 3, why: "message msg_n1 is not a JSON object" },
    ]);
  });
});

describe("an export of opencode", () => {
  test("has the totals that a person counts, and its calls tell why they failed", async () => {
    const { runs, skipped } = await read(exported);
    expect(totalsOf(runs)).toEqual(expected.expectedOpencodeExport);
    expect(skipped).toEqual([]);
    expect(statuses(runs[0])).toEqual([
      [
        ["rename", true, "unknown-tool"],
        ["bash", true, "timeout"],
      ],
    ]);
  });

  test("is recognized by its content, and other documents are not", () => {
    expect(opencodeExportReader.recognizes(JSON.parse(readFileSync(exported, "utf8")))).toBe(true);
    const others = [
      null,
      [],
      {},
      { messages: [] },
      { info: {}, messages: [{ role: "user", content: "" }] },
      { info: [] },
    ];
    expect(others.filter((other) => opencodeExportReader.recognizes(other))).toEqual([]);
  });

  test("whose fields have odd types does not throw", async () => {
    const odd = {
      info: { id: 7, role: "assistant", tokens: [], time: "now" },
      parts: [null, { type: "tool" }, { type: {} }],
    };
    const items = [...opencodeExportReader.read({ info: { projectID: 1 }, messages: [odd, 5, { info: 3 }] }, "x.json")];
    expect(items.map((item) => (item.type === "run" ? item.run.id : item.skipped.why))).toEqual([
      "x.json",
      "entries that the reader of opencode recordings does not know were left out: " +
        "part [object Object], message of undefined",
    ]);
  });
});
