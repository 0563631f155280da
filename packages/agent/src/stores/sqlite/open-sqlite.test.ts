import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { openDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { thisProcess } from "../holder.ts";
import { DamagedDatabaseError } from "./errors.ts";
import { openSqlite } from "./open-sqlite.ts";
import { pageSize } from "./schema.ts";
import { sqliteSessions } from "./sqlite-sessions.ts";
import { sqliteStores } from "./sqlite-stores.ts";
import { freshFolder } from "./testing/fresh-folder.ts";

const inFolder = freshFolder();
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const values = async (path: string, sql: string) => {
  const database = await openDatabase(path, { isReadOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows.map((row) => Object.values(row as object)[0] as unknown);
};

test("only the owner can read the folder, the database and its log", async () => {
  const sqlite = await openSqlite({ path: inFolder("a", "b", "x.db") });
  await sqlite.safe.write(() => sqlite.safe.database.exec("INSERT INTO facts (at, json) VALUES (1, '{}')"));
  expect(["a", "a/b"].map((name) => modeOf(inFolder(name)))).toEqual(["700", "700"]);
  expect(["x.db", "x.db-wal", "x.db-shm"].map((name) => modeOf(inFolder("a", "b", name)))).toEqual([
    "600",
    "600",
    "600",
  ]);
  await sqlite.close();
  expect(readdirSync(inFolder("a", "b")).filter((name) => name.includes(".new"))).toEqual([]);
});

test("a file of another program is refused and not changed", async () => {
  const path = inFolder("notes.txt");
  writeFileSync(path, "No database.\n", { mode: 0o644 });
  await expect(openSqlite({ path })).rejects.toThrow(DamagedDatabaseError);
  expect([modeOf(path), statSync(path).size]).toEqual(["644", 13]);
});

test("a database that other users could read becomes private", async () => {
  await (await openSqlite({ path: inFolder("x.db") })).close();
  chmodSync(inFolder("x.db"), 0o644);
  await (await openSqlite({ path: inFolder("x.db") })).close();
  expect(modeOf(inFolder("x.db"))).toBe("600");
});

test("safe transactions sync at once, light ones do not, and the next safe one does again", async () => {
  const { safe, light, close } = await openSqlite({ path: inFolder("x.db") });
  const pragma = (name: string) => Object.values(safe.database.prepare(`PRAGMA ${name}`).get() as object)[0] as unknown;
  const synchronous = () => pragma("synchronous");
  const levels = [
    await safe.write(synchronous),
    await light.write(synchronous),
    synchronous(),
    await safe.write(synchronous),
  ];
  const fail = () => {
    throw new Error("mine");
  };
  await expect(light.write(fail)).rejects.toThrow("mine");
  expect([...levels, await safe.write(synchronous)]).toEqual([2, 1, 2, 2, 2]);
  expect(["journal_mode", "busy_timeout", "page_size"].map(pragma)).toEqual(["wal", 0, pageSize]);
  await close();
});

test("a path that is a symbolic link, a folder, or inside a file is refused by name", async () => {
  await (await openSqlite({ path: inFolder("x.db") })).close();
  symlinkSync(inFolder("x.db"), inFolder("link.db"));
  mkdirSync(inFolder("folder.db"));
  writeFileSync(inFolder("file"), "x");
  await expect(openSqlite({ path: inFolder("link.db") })).rejects.toThrow(
    `${inFolder("link.db")} cannot be used: it is a symbolic link`,
  );
  await expect(openSqlite({ path: inFolder("folder.db") })).rejects.toThrow(
    `${inFolder("folder.db")} cannot be used: it is not a file`,
  );
  await expect(openSqlite({ path: inFolder("file", "x.db") })).rejects.toThrow(
    `${inFolder("file", "x.db")} cannot be used: its folder`,
  );
});

test.skipIf(process.getuid?.() === 0)("a folder without write permission is refused by name", async () => {
  chmodSync(inFolder(), 0o500);
  await expect(openSqlite({ path: inFolder("x.db") })).rejects.toThrow(
    `${inFolder("x.db")} cannot be used: its folder`,
  );
});

test("a file that is empty, not a database, or truncated counts as damaged and is not changed", async () => {
  writeFileSync(inFolder("empty.db"), "");
  writeFileSync(inFolder("text.db"), "no database ".repeat(1_000));
  await (await openSqlite({ path: inFolder("short.db") })).close();
  truncateSync(inFolder("short.db"), 3 * pageSize);
  const sizes = ["empty.db", "text.db", "short.db"].map((name) => statSync(inFolder(name)).size);
  for (const name of ["empty.db", "text.db", "short.db"]) {
    const error = await openSqlite({ path: inFolder(name) }).catch((caught: unknown) => caught);
    expect(error, name).toBeInstanceOf(DamagedDatabaseError);
    expect(error).toMatchObject({
      path: inFolder(name),
      message: expect.stringContaining(inFolder(name)),
      finding: expect.stringMatching(/./),
    });
  }
  expect(["empty.db", "text.db", "short.db"].map((name) => statSync(inFolder(name)).size)).toEqual(sizes);
});

test("an overwritten page is reported when it is read, with what to type, and the file stays", async () => {
  const path = inFolder("x.db");
  await (await openSqlite({ path })).close();
  const [page] = await values(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'facts'");
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(64, 0xff), 0, 64, (Number(page) - 1) * pageSize);
  closeSync(file);
  const stores = await sqliteStores({ path });
  await expect(stores.memory.list()).rejects.toMatchObject({
    name: "DamagedDatabaseError",
    path,
    message: expect.stringMatching(/is damaged: .*rebuild it from the run logs: sheepdog doctor --rebuild$/),
  });
  await stores.close();
  expect(readdirSync(inFolder()).filter((name) => !/-(?:wal|shm)$/.test(name))).toEqual(["x.db"]);
});

test("old drafts of processes that were killed during the creation of a database are removed", async () => {
  await (await openSqlite({ path: inFolder("x.db") })).close();
  const oldDrafts = [
    "x.db.00000000-0000-0000-0000-000000000000.new",
    "x.db.00000000-0000-0000-0000-000000000001.new-journal",
  ];
  for (const name of [...oldDrafts, "x.db.00000000-0000-0000-0000-000000000002.new", "x.db.mine.new"])
    writeFileSync(inFolder(name), "");
  const old = (Date.now() - 3_700_000) / 1_000;
  for (const name of [...oldDrafts, "x.db.mine.new"]) utimesSync(inFolder(name), old, old);
  await (await openSqlite({ path: inFolder("x.db") })).close();
  expect(readdirSync(inFolder()).filter((name) => name.includes(".new"))).toEqual([
    "x.db.00000000-0000-0000-0000-000000000002.new",
    "x.db.mine.new",
  ]);
});

test("another program's database is refused", async () => {
  const database = await openDatabase(inFolder("x.db"));
  database.exec("CREATE TABLE theirs (x)");
  database.close();
  await expect(openSqlite({ path: inFolder("x.db") })).rejects.toThrow(/another program's/);
  expect(await values(inFolder("x.db"), "SELECT name FROM sqlite_schema")).toEqual(["theirs"]);
});

test("a database with another schema version is refused, and the error says what to type", async () => {
  const path = inFolder("x.db");
  await (await openSqlite({ path })).close();
  const database = await openDatabase(path);
  database.exec("PRAGMA user_version = 7");
  database.close();
  await expect(openSqlite({ path })).rejects.toThrow(
    `The database ${path} has schema version 7, and this program uses version 1. ` +
      "To move it aside and rebuild it from the run logs: sheepdog doctor --rebuild",
  );
});

test.each(["logs/ses_1", "x.db-wal", "x.db.rebuilt"])(
  "a missing database that left %s is not created",
  async (name) => {
    const path = inFolder("x.db");
    if (name.startsWith("logs")) mkdirSync(inFolder("logs", "ses_1"), { recursive: true });
    else writeFileSync(inFolder(name), "left");
    const remains = name.startsWith("logs") ? inFolder("logs") : inFolder(name);
    await expect(openSqlite({ path, logDir: inFolder("logs") })).rejects.toThrow(
      `The database ${path} is missing, but ${remains} shows that there was one. ` +
        `To rebuild it from the run logs: sheepdog doctor --rebuild. To begin anew: remove ${remains}`,
    );
    expect(existsSync(path)).toBe(false);
    rmSync(remains, { recursive: true });
    await (await openSqlite({ path, logDir: inFolder("logs") })).close();
  },
);

test("nothing is written after the database file was removed or replaced", async () => {
  const stores = await sqliteStores({ path: inFolder("x.db") });
  const claimed = await stores.sessions.claim("ses_1", thisProcess(), 0);
  if (!claimed.ok) throw new Error("Expected a free session.");
  renameSync(inFolder("x.db"), inFolder("away.db"));
  await expect(stores.sessions.commit(claimed.lease, { at: 1 })).rejects.toThrow(
    `${inFolder("x.db")} was removed or replaced`,
  );
  renameSync(inFolder("away.db"), inFolder("x.db"));
  await stores.sessions.commit(claimed.lease, { at: 1 });
  await stores.close();
});

test("a database that cannot grow keeps its content, reports it, and works again when it can grow", async () => {
  const sqlite = await openSqlite({ path: inFolder("x.db") });
  const sessions = sqliteSessions(sqlite);
  const claimed = await sessions.claim("ses_1", thisProcess(), 0);
  if (!claimed.ok) throw new Error("Expected a free session.");
  const userMessage = (text: string) => ({ role: "user", id: "1", at: 1, origin: "person", text }) as const;
  await sessions.commit(claimed.lease, { at: 1, messages: [userMessage("small")] });
  const { pages } = sqlite.safe.database.prepare("SELECT page_count AS pages FROM pragma_page_count").get() as {
    pages: number;
  };
  sqlite.safe.database.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const large = { at: 2, messages: [userMessage("other"), userMessage("x".repeat(100_000))] };
  await expect(sessions.commit(claimed.lease, large)).rejects.toMatchObject({
    code: "SQLITE_FULL",
    message: expect.stringContaining(inFolder("x.db")),
  });
  expect((await sessions.load("ses_1")).messages).toEqual([userMessage("small")]);
  sqlite.safe.database.exec("PRAGMA max_page_count = 100000");
  await sessions.commit(claimed.lease, large);
  expect((await sessions.load("ses_1")).messages).toHaveLength(3);
  await sqlite.close();
});

test("writes that were requested before closing are done, and none after", async () => {
  const stores = await sqliteStores({ path: inFolder("x.db") });
  const claim = stores.sessions.claim("ses_1", thisProcess(), 0);
  await stores.close();
  await stores.close();
  expect(await claim).toMatchObject({ ok: true });
  await expect(stores.sessions.load("ses_1")).rejects.toThrow(/closed/);
  await expect(stores.sessions.claim("ses_1", thisProcess(), 0)).rejects.toThrow(/closed/);
});
