import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openDatabase, type SqliteDatabase } from "@sheepdog/records";
import { fillGooseDatabase } from "../../packages/records/test/fixtures/databases/goose-database.ts";
import { fillHermesDatabase } from "../../packages/records/test/fixtures/databases/hermes-database.ts";
import { fillOpencodeDatabase } from "../../packages/records/test/fixtures/databases/opencode-database.ts";
import { fixturesHome } from "../../packages/records/test/fixtures/home.ts";

const databases: Readonly<Record<string, (database: SqliteDatabase) => void>> = {
  ".local/share/opencode/opencode.db": fillOpencodeDatabase,
  ".local/share/goose/sessions/sessions.db": fillGooseDatabase,
  ".hermes/state.db": fillHermesDatabase,
};

/** Creates a home folder with the recordings of all agents, their databases, and this configuration of Sheepdog. */
export async function createFixturesHome(home: string, config: string): Promise<void> {
  await cp(fixturesHome, home, { recursive: true });
  for (const [path, fill] of Object.entries(databases)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    const database = await openDatabase(join(home, path));
    fill(database);
    database.close();
  }
  await mkdir(join(home, ".sheepdog"), { recursive: true });
  await writeFile(join(home, ".sheepdog/config.toml"), config);
}
