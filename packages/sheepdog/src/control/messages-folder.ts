import { chmodSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@sheepdog/records";
import { isId } from "../compose/ids.ts";
import type { Home } from "../home.ts";

/** Where orders to a run lie. */
function ordersFolder({ controlDir }: Home, runId: string): string {
  if (!isId(runId)) throw new Error(`Expected the id of a run, got ${JSON.stringify(runId.slice(0, 80))}.`);
  return join(controlDir, runId);
}

/** Makes it where there is none. Only its owner may write there, or an order could be anybody's: throws where that cannot be had. */
export function makeMessagesFolder(home: Home, runId: string): string {
  const folder = ordersFolder(home, runId);
  for (const each of [home.controlDir, folder]) {
    makeFolder(each);
    const found = lstatSync(each);
    if (!found.isDirectory()) throw new Error(`Expected a folder at ${each}; there is something else.`);
    if (found.uid !== (process.getuid?.() ?? found.uid))
      throw new Error(`Expected a folder of this user at ${each}; it is another's.`);
    if ((found.mode & 0o077) !== 0) chmodSync(each, 0o700);
  }
  return folder;
}

/** What a file with an order is called, so that the oldest comes first and no two are the same. */
export const orderName = /^\d{15}-[0-9a-f]{12}\.json$/;

/** What it is called while the run that took it carries it out: from then on its sender cannot take it back. */
export function inHand(path: string): string {
  return `${path}.taken`;
}

/** Where the run says what came of an order, for the sender to read and remove. */
export function answerTo(path: string): string {
  return `${path}.answer`;
}
