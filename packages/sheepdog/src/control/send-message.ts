import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Home } from "../home.ts";
import type { ControlMessage } from "./control-message.ts";
import { answerTo, inHand, makeMessagesFolder } from "./messages-folder.ts";

/** An order on its way. */
export interface SentMessage {
  /** Waits until the run has carried it out, or has ended; where neither happens in time, the order is taken back and nothing will come of it. */
  taken(waitMs: number): Promise<Taken>;
}

/** What came of an order. `limit` is the one that holds from then on, where one was set; `refused`: there is none to add to. */
type Taken = { readonly type: "taken"; readonly limit?: number } | { readonly type: "refused" | "ended" | "unheard" };

/** Lays an order down where the process that works the run off looks for it. It appears there whole or not at all. */
export async function sendMessage(home: Home, runId: string, order: ControlMessage): Promise<SentMessage> {
  const folder = makeMessagesFolder(home, runId);
  const path = join(folder, `${String(Date.now()).padStart(15, "0")}-${randomBytes(6).toString("hex")}.json`);
  const unfinished = join(folder, `.${basename(path)}`);
  try {
    writeFileSync(unfinished, `${JSON.stringify(order)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  return { taken: (waitMs) => taken(path, waitMs) };
}

const lookEveryMs = 50;
/** From the moment a run has an order in its hands until it is carried out. */
const carryOutMs = 1_000;

async function taken(path: string, waitMs: number): Promise<Taken> {
  const seen = await seenWithin(path, waitMs);
  if (seen !== undefined) return seen;
  return isTakenBack(path) ? { type: "unheard" } : ((await seenWithin(path, carryOutMs)) ?? { type: "unheard" });
}

async function seenWithin(path: string, waitMs: number): Promise<Taken | undefined> {
  for (let left = waitMs; left > 0; left -= lookEveryMs) {
    if (!existsSync(dirname(path))) return { type: "ended" }; // the folder goes with the run
    if (!existsSync(path) && !existsSync(inHand(path))) return answerIn(answerTo(path));
    await pause(lookEveryMs);
  }
  return undefined;
}

/** What the run says of it; one that says nothing has heard it all the same. */
function answerIn(path: string): Taken {
  try {
    const { type, order } = JSON.parse(readFileSync(path, "utf8")) as {
      readonly type?: unknown;
      readonly order?: { readonly stop?: unknown };
    }; // looked at below
    rmSync(path, { force: true });
    if (type === "refused") return { type };
    return typeof order?.stop === "number" ? { type: "taken", limit: order.stop } : { type: "taken" };
  } catch {
    return { type: "taken" };
  }
}

/** False where somebody else has it by now. */
function isTakenBack(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}
