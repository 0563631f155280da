import { command } from "./command.ts";
import { fail } from "./fail.ts";
import { lock } from "./lock.ts";
import { open } from "./open.ts";
import { run } from "./run.ts";
import { spend } from "./spend.ts";

/** The jobs of a test process, by name. */
export const jobs: Readonly<Record<string, (input: never) => Promise<void>>> = {
  run,
  fail,
  lock,
  open,
  spend,
  command,
};
