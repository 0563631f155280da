import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { connectReadOnly } from "@sheepdog/agent";
import { openDatabase, type SqliteDatabase, sqliteCode } from "@sheepdog/records";
import { sizeText } from "../../render/terminal/size-text.ts";
import type { CheckContext } from "../check-context.ts";
import { type Check, type Finding, fail, ok, warn } from "../finding.ts";

/** Checks SQLite and the database. It only reads the database. */
export const databaseCheck: Check = {
  name: "database",
  async run(context) {
    return [await sqliteFinding(), await databaseFinding(context)];
  },
};

async function sqliteFinding(): Promise<Finding> {
  const memory = await openDatabase(":memory:"); // rejects if SQLite is too old
  try {
    const builtIn = process.getBuiltinModule?.("node:sqlite") as
      | { readonly DatabaseSync: new (path: string) => object }
      | undefined; // as documented by Node
    const source =
      builtIn !== undefined && memory instanceof builtIn.DatabaseSync
        ? "built into Node"
        : "from the package @photostructure/sqlite";
    return ok(`SQLite ${queryValue(memory, "SELECT sqlite_version()")}, ${source}.`);
  } finally {
    memory.close();
  }
}

const rebuildFix = "sheepdog doctor --rebuild";
const applicationId = 0x73686467;
const busyCodes = [5, 15];
const damagedCodes = [11, 26];

/** Whether the database is usable. */
export async function databaseFinding({ home: { database: path } }: CheckContext): Promise<Finding> {
  const file = await lstat(path).catch(() => undefined);
  if (file === undefined) return ok("There is no database yet; the first run creates it.");
  if (!file.isFile()) return fail(`${path} is not a file.`, "Move it away.");
  if (file.size === 0) return fail(`${path} is empty.`, rebuildFix);
  try {
    return await inspect(path, file.size);
  } catch (error) {
    const code = (sqliteCode(error) ?? 0) & 0xff; // the primary result code
    if (busyCodes.includes(code)) return warn(`${path} is locked by another process.`, "Try again.");
    const sentence = `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return damagedCodes.includes(code)
      ? fail(sentence, rebuildFix)
      : fail(sentence, `Check the owner of the file and its folder: ls -la ${dirname(path)}`);
  }
}

async function inspect(path: string, size: number): Promise<Finding> {
  const database = await connectReadOnly({ path, lockWaitMs: 0 });
  try {
    if (queryValue(database, "PRAGMA application_id") !== applicationId)
      return fail(`${path} belongs to another program.`, "Move it away.");
    const damage = queryValue(database, "PRAGMA integrity_check(1)");
    if (damage !== "ok") return fail(`${path} is damaged: ${damage}`, rebuildFix);
    const version = queryValue(database, "PRAGMA user_version");
    const sessions = queryValue(database, "SELECT count(*) FROM sessions");
    return ok(`${path} is intact: ${sizeText(size)}, schema version ${version}, ${sessions} sessions.`);
  } finally {
    database.close();
  }
}

/** The value of a query with one row and one column. */
function queryValue(database: SqliteDatabase, sql: string): unknown {
  return Object.values(database.prepare(sql).get() as Record<string, unknown>)[0]; // the caller selects one value
}
