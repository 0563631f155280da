import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { openDatabase } from "@sheepdog/records";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { RebuildReport } from "../src/stores/sqlite/build-database.ts";
import { rebuildDatabase } from "../src/stores/sqlite/rebuild.ts";
import { pageSize } from "../src/stores/sqlite/schema.ts";
import { sqliteStores } from "../src/stores/sqlite/sqlite-stores.ts";
import type { Stores } from "../src/stores/stores.ts";
import {
  makeTestFolder,
  type SampleRun,
  sampleRun,
  saveRuns,
  start,
  type TestFolder,
  writeRunLog,
} from "./sample-runs.ts";

/** A day after the sample runs. */
export const later = start + 86_400_000;

const sessionIds = ["ses_a", "ses_b", "ses_c"];

/** How many rows of the sample runs a complete database has. */
export const allRows = { messages: 3 * 2 * 26, runs: 6, costs: 3 * 2 * 12 };

export const costOfRequest = 4_000_000;

/** Two runs of a session. */
export function runsOf(sessionId: string): readonly SampleRun[] {
  const first = sampleRun(sessionId, `run_${sessionId}_1`, { turns: 12 });
  const options = { turns: 12, at: start + 60_000, seq: first.events.length };
  return [first, sampleRun(sessionId, `run_${sessionId}_2`, options)];
}

/** Counts the rows of the sample runs that stores have. */
export async function countRows(stores: Stores): Promise<typeof allRows> {
  let [messages, runs, costs] = [0, 0, 0];
  for (const sessionId of sessionIds) {
    const saved = await stores.sessions.load(sessionId);
    const savedIds = new Set(saved.messages.map(({ id }) => id));
    const completedRuns = new Set(saved.runs.filter(({ state }) => state === "completed").map(({ runId }) => runId));
    const samples = runsOf(sessionId);
    messages += samples.flatMap((sample) => sample.messages).filter(({ id }) => savedIds.has(id)).length;
    runs += samples.filter(({ run }) => completedRuns.has(run.runId)).length;
    costs += (await stores.costs.rows(sessionId)).length;
  }
  return { messages, runs, costs };
}

/** Changes the bytes of a file. */
export function editFile(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
}

/** Changes a database with SQL, and moves the change into the file. */
export async function changeDatabase(path: string, sql: string): Promise<void> {
  const database = await openDatabase(path);
  database.exec(`${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
}

/** The number of a table's first page. */
async function rootPageOf(path: string, table: string): Promise<number> {
  const database = await openDatabase(path);
  const row = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table);
  database.close();
  return (row as { readonly rootpage: number }).rootpage; // the selected column
}

export interface RebuildFixture {
  /** The folder of the current test. */
  readonly folder: TestFolder;
  /** Copies a database that was closed: everything is in the file. */
  copyClosedDatabase(path?: string): void;
  /** Copies a database whose process was killed: everything is in its write-ahead log. */
  copyCrashedDatabase(path?: string): void;
  writeAllLogs(): void;
  /** Fills the first page of a table with nonsense. */
  damageTable(table: string): Promise<void>;
  /** Rebuilds the database at the folder's path and opens it; the stores are closed after the test. */
  rebuild(options?: { readonly withLogs?: boolean }): Promise<{
    readonly stores: Stores;
    readonly rebuilt: RebuildReport | undefined;
  }>;
}

/** Prepares a database with the sample runs once, and a folder for each test. */
export function rebuildFixture(): RebuildFixture {
  const source = makeTestFolder();
  let folder = source;
  let openedStores: Stores[] = [];
  beforeAll(async () => {
    const stores = await sqliteStores({ path: source.path });
    for (const sessionId of sessionIds) await saveRuns(stores, sessionId, runsOf(sessionId));
    await stores.memory.write({ at: start, text: "The build needs Node 20", tags: ["build"] });
    for (const suffix of ["", "-wal"]) copyFileSync(source.path + suffix, `${source.path}.crashed${suffix}`);
    await stores.close();
  });
  afterAll(() => source.remove());
  beforeEach(() => {
    folder = makeTestFolder();
    openedStores = [];
  });
  afterEach(async () => {
    for (const stores of openedStores) await stores.close();
    folder.remove();
  });
  return {
    get folder() {
      return folder;
    },
    copyClosedDatabase: (path = folder.path) => copyFileSync(source.path, path),
    copyCrashedDatabase(path = folder.path) {
      for (const suffix of ["", "-wal"]) copyFileSync(`${source.path}.crashed${suffix}`, path + suffix);
    },
    writeAllLogs() {
      for (const sessionId of sessionIds) for (const run of runsOf(sessionId)) writeRunLog(folder.logDir, run);
    },
    async damageTable(table) {
      const page = await rootPageOf(folder.path, table);
      editFile(folder.path, (bytes) => bytes.fill(0xee, (page - 1) * pageSize, page * pageSize));
    },
    async rebuild({ withLogs = false } = {}) {
      const logDir = withLogs ? { logDir: folder.logDir } : {};
      const rebuilt = await rebuildDatabase({ path: folder.path, now: () => later, ...logDir });
      const stores = await sqliteStores({ path: folder.path });
      openedStores.push(stores);
      return { stores, rebuilt };
    },
  };
}
