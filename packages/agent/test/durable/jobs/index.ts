import { command } from "./command.ts";
import { fail } from "./fail.ts";
import { lock } from "./lock.ts";
import { open } from "./open.ts";
import { spend } from "./spend.ts";
import { work } from "./work.ts";

/** What a process can be started for. */
export const jobs: Readonly<Record<string, (order: never) => Promise<void>>> = {
  work,
  fail,
  lock,
  open,
  spend,
  command,
};
