import { openDatabase } from "@sheepdog/records";
import { databaseIn } from "../scenario.ts";
import { report, waitForFile } from "../step.ts";

export interface LockOrder {
  readonly folder: string;
  /** A file; the lock is given back when it is there. */
  readonly until: string;
}

/** Has the lock that only one writer can have. */
export async function lock({ folder, until }: LockOrder): Promise<void> {
  const database = await openDatabase(databaseIn(folder));
  database.exec("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE");
  report({ locked: true });
  await waitForFile(until);
  database.exec("COMMIT");
  database.close();
}
