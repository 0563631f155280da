import { sqliteStores } from "../../packages/agent/dist/index.js";
import { openDatabase } from "../../packages/records/dist/index.js";
import { serveTasks } from "../measure/serve-tasks.ts";

export interface LoadTask {
  /** The path of the database. */
  readonly path: string;
}

/** What it took to load a session, in microseconds. */
export interface Load {
  readonly messages: number;
  readonly openClockMicros: number;
  readonly loadClockMicros: number;
  readonly loadCpuMicros: number;
}

await serveTasks<LoadTask, Load>(async () => (process.argv[2] === "by hand" ? loadByHand : loadByStore));

async function loadByStore({ path }: LoadTask): Promise<Load> {
  const startedAt = performance.now();
  const stores = await sqliteStores({ path });
  const openClockMicros = (performance.now() - startedAt) * 1_000;
  const { value, ...times } = await timed(() => stores.sessions.load("ses_1"));
  await stores.close();
  return { messages: value.messages.length, openClockMicros, ...times };
}

async function loadByHand({ path }: LoadTask): Promise<Load> {
  const startedAt = performance.now();
  const database = await openDatabase(path);
  const openClockMicros = (performance.now() - startedAt) * 1_000;
  const readTable = (table: string) => {
    const rows = database.prepare(`SELECT json FROM ${table}`).all() as readonly JsonRow[]; // the column asked for
    return rows.map(({ json }): unknown => JSON.parse(json));
  };
  const { value, ...times } = await timed(async () => ({
    messages: readTable("messages"),
    runs: readTable("runs"),
    checkpoint: readTable("checkpoints"),
  }));
  database.close();
  return { messages: value.messages.length, openClockMicros, ...times };
}

interface JsonRow {
  readonly json: string;
}

async function timed<T>(
  action: () => Promise<T>,
): Promise<{ readonly value: T; readonly loadClockMicros: number; readonly loadCpuMicros: number }> {
  globalThis.gc?.();
  const startedAt = performance.now();
  const start = process.cpuUsage();
  const value = await action();
  const { user, system } = process.cpuUsage(start);
  return { value, loadClockMicros: (performance.now() - startedAt) * 1_000, loadCpuMicros: user + system };
}
