import { sqliteStores } from "../../packages/agent/dist/index.js";
import { openDatabase } from "../../packages/records/dist/index.js";
import { serve } from "../measure/serve.ts";

/** What is loaded. */
export interface LoadOrder {
  readonly path: string;
}

/** What it took, in microseconds. */
export interface Loaded {
  readonly messages: number;
  readonly openWall: number;
  readonly loadWall: number;
  readonly loadCpu: number;
}

await serve<LoadOrder, Loaded>(async () => (process.argv[2] === "raw" ? raw : ours));

async function ours({ path }: LoadOrder): Promise<Loaded> {
  const begunAt = performance.now();
  const stores = await sqliteStores({ path });
  const openWall = (performance.now() - begunAt) * 1_000;
  const { value, ...took } = await timed(() => stores.sessions.load("ses_1"));
  await stores.close();
  return { messages: value.messages.length, openWall, ...took };
}

async function raw({ path }: LoadOrder): Promise<Loaded> {
  const begunAt = performance.now();
  const database = await openDatabase(path);
  const openWall = (performance.now() - begunAt) * 1_000;
  const all = (table: string) =>
    (database.prepare(`SELECT json FROM ${table}`).all() as { readonly json: string }[]).map(
      ({ json }) => JSON.parse(json) as unknown,
    ); // the column asked for
  const { value, ...took } = await timed(async () => ({
    messages: all("messages"),
    runs: all("runs"),
    checkpoint: all("checkpoints"),
  }));
  database.close();
  return { messages: value.messages.length, openWall, ...took };
}

async function timed<T>(
  action: () => Promise<T>,
): Promise<{ readonly value: T; readonly loadWall: number; readonly loadCpu: number }> {
  globalThis.gc?.();
  const begunAt = performance.now();
  const before = process.cpuUsage();
  const value = await action();
  const { user, system } = process.cpuUsage(before);
  return { value, loadWall: (performance.now() - begunAt) * 1_000, loadCpu: user + system };
}
