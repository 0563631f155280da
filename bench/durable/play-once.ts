import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../packages/records/dist/index.js";
import { checkPlayed } from "../loop/contestant.ts";
import { conversation } from "../loop/conversation.ts";
import { startMeter } from "../loop/meter.ts";
import { databaseName, type Game, type Place } from "./contestant.ts";

/** What a contestant's process is asked: to play so many turns. */
export interface Order extends Pick<Place, "kind"> {
  readonly turns: number;
}

/** What a conversation took. */
export interface Taken {
  /** Microseconds of processor time, in all and by windows of 200 turns. */
  readonly total: number;
  readonly windows: readonly number[];
  /** Microseconds on the clock: with what the disk takes. */
  readonly wall: number;
  /** What lies on the disk once it is closed, and the JSON in there. */
  readonly databaseBytes: number;
  readonly jsonBytes: number;
}

/** Plays a conversation in an empty folder. Opening and closing the database is not timed. */
export async function playOnce(
  prepare: (place: Place) => Promise<Game>,
  { turns, kind, folder, jsonBytes }: Order & Place & { readonly jsonBytes: string },
): Promise<Taken> {
  const wanted = conversation(turns);
  const game = await prepare({ folder, kind });
  globalThis.gc?.();
  const meter = startMeter();
  const played = await game.play(wanted, meter);
  const time = meter.end();
  await game.close();
  checkPlayed(played, wanted);
  return { ...time, databaseBytes: sizeOf(folder), jsonBytes: await askBytes(folder, jsonBytes) };
}

function sizeOf(folder: string): number {
  const paths = [databaseName, `${databaseName}-wal`].map((name) => join(folder, name));
  return paths.reduce((sum, path) => sum + (existsSync(path) ? statSync(path).size : 0), 0);
}

async function askBytes(folder: string, sql: string): Promise<number> {
  const database = await openDatabase(join(folder, databaseName), { isReadOnly: true });
  try {
    return (database.prepare(sql).get() as { readonly bytes: number }).bytes; // as asked for
  } finally {
    database.close();
  }
}
