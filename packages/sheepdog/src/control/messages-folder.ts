import { chmodSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@sheepdog/records";
import { isId } from "../compose/ids.ts";
import type { Home } from "../home.ts";

/**
 * Creates the folder for messages to a run and returns its path. Only its owner may write to it, because anybody who
 * can write there controls the run. Throws if that cannot be ensured.
 */
export function makeMessagesFolder({ controlDir }: Home, runId: string): string {
  if (!isId(runId)) throw new Error(`Expected the id of a run, got ${JSON.stringify(runId.slice(0, 80))}.`);
  const messagesFolder = join(controlDir, runId);
  for (const folder of [controlDir, messagesFolder]) {
    makeFolder(folder);
    const stats = lstatSync(folder);
    if (!stats.isDirectory()) throw new Error(`Expected a folder at ${folder}, got something else.`);
    if (stats.uid !== (process.getuid?.() ?? stats.uid))
      throw new Error(`Expected ${folder} to belong to this user; it belongs to another one.`);
    if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  }
  return messagesFolder;
}

/** The name of a message file: sorted by time, and unique. */
export const messageFileName = /^\d{15}-[0-9a-f]{12}\.json$/;

/** The path of a message file while the run applies it. From then on its sender cannot withdraw it. */
export function claimedPath(messagePath: string): string {
  return `${messagePath}.taken`;
}

/** The path at which the run writes its answer. The sender reads and removes it. */
export function answerPath(messagePath: string): string {
  return `${messagePath}.answer`;
}

/** The path of a file without a valid message, after the run has moved it aside. */
export function invalidPath(messagePath: string): string {
  return `${messagePath}.bad`;
}
