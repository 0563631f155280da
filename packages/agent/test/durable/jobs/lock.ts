import { openDatabase } from "@sheepdog/records";
import { databaseIn } from "../scenario.ts";
import { report, waitForFile } from "../step.ts";

export interface LockInput {
  readonly folder: string;
  /** The lock is released when this file exists. */
  readonly until: string;
}

/** Holds the write lock of the database. */
export async function lock({ folder, until }: LockInput): Promise<void> {
  const database = await openDatabase(databaseIn(folder));
  database.exec("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE");
  report({ locked: true });
  await waitForFile(until);
  database.exec("COMMIT");
  database.close();
}
