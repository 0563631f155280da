import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Home } from "../home.ts";
import type { Order } from "./order.ts";
import { inHand, makeOrdersFolder } from "./orders-folder.ts";

/** An order on its way. */
export interface SentOrder {
  /** Waits until the run has carried it out, or has ended; where neither happens in time, the order is taken back and nothing will come of it. */
  taken(waitMs: number): Promise<"taken" | "ended" | "unheard">;
}

/** Lays an order down where the process that works the run off looks for it. It appears there whole or not at all. */
export async function sendOrder(home: Home, runId: string, order: Order): Promise<SentOrder> {
  const folder = makeOrdersFolder(home, runId);
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

async function taken(path: string, waitMs: number): ReturnType<SentOrder["taken"]> {
  for (let left = waitMs; left > 0; left -= lookEveryMs) {
    const seen = lookAt(path);
    if (seen !== "there") return seen;
    await pause(lookEveryMs);
  }
  if (isTakenBack(path)) return "unheard";
  for (let left = carryOutMs; left > 0; left -= lookEveryMs) {
    const seen = lookAt(path);
    if (seen !== "there") return seen;
    await pause(lookEveryMs);
  }
  return "unheard";
}

function lookAt(path: string): "there" | "taken" | "ended" {
  if (!existsSync(dirname(path))) return "ended"; // the folder goes with the run
  return existsSync(path) || existsSync(inHand(path)) ? "there" : "taken";
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
