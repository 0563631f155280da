import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../packages/records/dist/index.js";
import { checkComplete } from "../loop/contestant.ts";
import { conversation } from "../loop/conversation.ts";
import { startMeter, type Times } from "../loop/meter.ts";
import { type Contestant, databaseName, type JsonBytes, type OpenContestant, type Storage } from "./contestant.ts";

/** A conversation to run. */
export interface Task extends Pick<Storage, "kind"> {
  readonly turns: number;
}

/** What a conversation took. `clockMicros` includes waiting for the disk. */
export interface Measurement extends Times {
  /** Size of the database after it is closed. */
  readonly databaseBytes: number;
  readonly json: JsonBytes;
}

export interface OnceOptions extends Task, Storage, Pick<Contestant, "jsonBytes"> {}

/** Runs a conversation in an empty folder. Opening and closing the database is not timed. */
export async function runOnce(
  open: (storage: Storage) => Promise<OpenContestant>,
  { turns, kind, folder, jsonBytes }: OnceOptions,
): Promise<Measurement> {
  const script = conversation(turns);
  const contestant = await open({ folder, kind });
  globalThis.gc?.();
  const meter = startMeter();
  const outcome = await contestant.run(script, meter);
  const times = meter.end();
  await contestant.close();
  checkComplete(outcome, script);
  return { ...times, databaseBytes: sizeOf(folder), json: await readJsonBytes(folder, jsonBytes) };
}

function sizeOf(folder: string): number {
  const paths = [databaseName, `${databaseName}-wal`].map((name) => join(folder, name));
  return paths.reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0);
}

async function readJsonBytes(folder: string, jsonBytes: Contestant["jsonBytes"]): Promise<JsonBytes> {
  const database = await openDatabase(join(folder, databaseName), { isReadOnly: true });
  try {
    return jsonBytes(database);
  } finally {
    database.close();
  }
}
