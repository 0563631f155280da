import { openDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { editFile, rootPageOf } from "../../../test/rebuild-fixture.ts";
import { sampleLesson } from "../../../test/sample-lesson.ts";
import { makeTestFolder } from "../../../test/sample-runs.ts";
import { claimLease } from "../../../test/stores-contract/samples.ts";
import type { AuditRow } from "../../protocol/audit.ts";
import { migrations } from "./migrations.ts";
import { openOrRebuild } from "./open-or-rebuild.ts";
import { openSqlite } from "./open-sqlite.ts";
import { pageSize } from "./schema.ts";
import { sqliteStores } from "./sqlite-stores.ts";

const lesson = sampleLesson({ at: 1, tier: 2, workspace: "/work" });

function decision(n: number): AuditRow {
  return {
    type: "decision",
    id: `aud_${n}`,
    at: n,
    sessionId: "ses_1",
    runId: "run_1",
    callId: `c${n}`,
    tool: "bash",
    input: "ls ".repeat(100),
    by: "gate",
    tier: 0,
    decision: "allow",
    reason: "Only reads.",
  };
}

async function fill(path: string, rows: number): Promise<void> {
  const stores = await sqliteStores({ path });
  const lease = await claimLease(stores, "ses_1");
  const audit = Array.from({ length: rows }, (_, index) => decision(index + 1));
  await stores.sessions.commit(lease, { at: 1, audit, lessons: [lesson] });
  await stores.sessions.release(lease);
  await stores.close();
}

test("a rebuild keeps the audit trail and the lessons", async () => {
  const folder = makeTestFolder();
  await fill(folder.path, 3);
  editFile(folder.path, (bytes) => bytes.write("Not a database!", 0));
  const { stores, rebuilt } = await openOrRebuild({ path: folder.path });
  expect(rebuilt?.lost).toEqual([]);
  expect((await stores.audit.list()).map(({ id, seq }) => [id, seq])).toEqual([
    ["aud_3", 3],
    ["aud_2", 2],
    ["aud_1", 1],
  ]);
  expect(await stores.lessons.list()).toMatchObject([{ id: "lesson_1", ...lesson }]);
  await stores.close();
  folder.remove();
});

test("of a damaged audit trail the readable rows remain, and the report says what is lost", async () => {
  const folder = makeTestFolder();
  await fill(folder.path, 400);
  const root = await rootPageOf(folder.path, "audit");
  const database = await openDatabase(folder.path);
  const pages = database.prepare("SELECT pageno FROM dbstat WHERE name = 'audit' AND pagetype = 'leaf'");
  const [, , third] = safeAll(() => pages.all()) as { readonly pageno: number }[];
  database.close();
  const page = third?.pageno ?? root;
  editFile(folder.path, (bytes) => bytes.fill(7, (page - 1) * pageSize, page * pageSize));
  const { stores, rebuilt } = await openOrRebuild({ path: folder.path });
  expect(rebuilt?.lost.join("\n")).toContain("audit");
  if (page !== root) expect((await stores.audit.list()).length).toBeGreaterThan(300);
  expect(await stores.lessons.list()).toHaveLength(1);
  await stores.close();
  folder.remove();
});

test("a damaged database of the version before is rebuilt without a false alarm", async () => {
  const folder = makeTestFolder();
  await (await openSqlite({ path: folder.path, migrations: migrations.slice(0, 2) })).close();
  const database = await openDatabase(folder.path);
  database.exec("INSERT INTO sessions (id, fence, renewed_at, updated_at) VALUES ('ses_old', 1, 1, 1)");
  database.close();
  const page = await rootPageOf(folder.path, "facts");
  editFile(folder.path, (bytes) => bytes.fill(0xee, (page - 1) * pageSize, page * pageSize));
  const { stores, rebuilt } = await openOrRebuild({ path: folder.path });
  expect(rebuilt?.lost).toEqual(["rows of facts: some pages could not be read"]);
  expect(await stores.audit.list()).toEqual([]);
  await stores.close();
  folder.remove();
});

test("a database of the version before is migrated, and then has an empty audit trail", async () => {
  const folder = makeTestFolder();
  await (await openSqlite({ path: folder.path, migrations: migrations.slice(0, 2) })).close();
  await fill(folder.path, 1);
  const { stores, rebuilt } = await openOrRebuild({ path: folder.path });
  expect([rebuilt, (await stores.audit.list()).length]).toEqual([undefined, 1]);
  await stores.close();
  folder.remove();
});

function safeAll(read: () => readonly unknown[]): readonly unknown[] {
  try {
    return read();
  } catch {
    return []; // this SQLite has no dbstat: the first page is damaged instead
  }
}
