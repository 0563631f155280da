import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type LimitName, limitNames, type Policy } from "@sheepdog/guardian";
import type { Home } from "../home.ts";
import { makeOrdersFolder, ordersFolder } from "./orders-folder.ts";

const fileName = "limits.json";

/** Where a run is to end: by limit, in its own unit. */
export type Stops = Readonly<Partial<Record<LimitName, number>>>;

/** Lays down beside the orders to a run what it began with: whoever wants to give it more cannot see the flags of its process. It goes with them. */
export function tellLimits(home: Home, runId: string, limits: Policy["limits"]): void {
  const stops = Object.fromEntries(limitNames.map((name) => [name, limits[name]?.stop ?? 0]));
  try {
    writeFileSync(join(makeOrdersFolder(home, runId), fileName), JSON.stringify(stops), { mode: 0o600 });
  } catch {
    // A home that cannot be written to: no order will be heard either, and that is told.
  }
}

/** What was laid down; nothing where nothing was, or it cannot be read. */
export async function toldLimits(home: Home, runId: string): Promise<Stops> {
  try {
    const told: unknown = JSON.parse(await readFile(join(ordersFolder(home, runId), fileName), "utf8"));
    if (typeof told !== "object" || told === null) return {};
    return Object.fromEntries(Object.entries(told).filter(([name, stop]) => (limitNames as readonly string[]).includes(name) && Number.isFinite(stop)));
  } catch {
    return {};
  }
}
