import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { openDatabase, type SqliteDatabase, sqliteCode } from "@sheepdog/records";
import { sizeText } from "../../../render/terminal/size-text.ts";
import type { CheckContext } from "../check-context.ts";
import { type Check, type Finding, fail, ok, warn } from "../finding.ts";

/** Which SQLite there is, and whether the database is sound. It is only read. */
export const databaseCheck: Check = {
  name: "database",
  async run(world) {
    return [await sqliteFinding(), await databaseFinding(world)];
  },
};

async function sqliteFinding(): Promise<Finding> {
  const memory = await openDatabase(":memory:"); // rejects where no SQLite is new enough
  try {
    const builtIn = process.getBuiltinModule?.("node:sqlite") as
      | { readonly DatabaseSync: new (path: string) => object }
      | undefined; // its documented shape
    const whose =
      builtIn !== undefined && memory instanceof builtIn.DatabaseSync
        ? "Node's own"
        : "of the package @photostructure/sqlite";
    return ok(`SQLite ${ask(memory, "SELECT sqlite_version()")}, ${whose}.`);
  } finally {
    memory.close();
  }
}

const rebuilding =
  "The next command that needs it moves it aside and makes a new one from what can be read and from the run logs.";
const applicationId = 0x73686467;
const busy = [5, 15];
const damaged = [11, 26];

/** Whether the database can be used. */
export async function databaseFinding({ home: { database: path } }: CheckContext): Promise<Finding> {
  const file = await lstat(path).catch(() => undefined);
  if (file === undefined) return ok("There is none yet: it is made when something is to be kept.");
  if (!file.isFile()) return fail(`${path} is no file.`, "Move it away.");
  if (file.size === 0) return fail(`${path} is empty.`, rebuilding);
  try {
    return await read(path, file.size);
  } catch (error) {
    const code = (sqliteCode(error) ?? 0) & 0xff; // the rest of it says more than is needed here
    if (busy.includes(code)) return warn(`${path} is locked by another process just now.`, "Try again.");
    const sentence = `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return damaged.includes(code)
      ? fail(sentence, rebuilding)
      : fail(sentence, `Is it yours, and its folder? ls -la ${dirname(path)}`);
  }
}

async function read(path: string, size: number): Promise<Finding> {
  const database = await openDatabase(path, { isReadOnly: true });
  try {
    if (ask(database, "PRAGMA application_id") !== applicationId)
      return fail(`${path} is another program's database.`, "Move it away.");
    const damage = ask(database, "PRAGMA integrity_check(1)");
    if (damage !== "ok") return fail(`${path} is damaged: ${damage}`, rebuilding);
    return ok(
      `${path} is sound: ${sizeText(size)}, schema version ${ask(database, "PRAGMA user_version")}, ${ask(database, "SELECT count(*) FROM sessions")} sessions.`,
    );
  } finally {
    database.close();
  }
}

/** The one value that a question has for an answer. */
function ask(database: SqliteDatabase, sql: string): unknown {
  return Object.values(database.prepare(sql).get() as Record<string, unknown>)[0]; // one row of one column
}
