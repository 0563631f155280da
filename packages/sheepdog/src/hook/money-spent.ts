import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionUsage } from "@sheepdog/integrations/hooks";
import { readRegularFile } from "@sheepdog/records/files";
import type { Home } from "../home.ts";
import { withLock } from "./session-lock.ts";

/** Days that are kept: those of this month and of the one before. */
const MAX_DAYS = 62;
const WAIT_MS = 500;

type Days = Readonly<Record<string, number>>;

/** Adds what an agent has spent. Returns what all attached agents have spent on this day (UTC) and in its month. */
export function addSpent({ attachDir }: Home, nanoUsd: number, at: number): NonNullable<SessionUsage["spent"]> {
  const file = join(attachDir, "spent.json");
  const day = new Date(at).toISOString().slice(0, 10);
  const days = nanoUsd > 0 ? withLock(`${file}.lock`, WAIT_MS, () => addTo(file, day, nanoUsd)) : readDays(file);
  const month = day.slice(0, 7);
  const ofMonth = Object.entries(days).filter(([name]) => name.startsWith(month));
  return {
    day,
    dayNanoUsd: days[day] ?? 0,
    month,
    monthNanoUsd: ofMonth.reduce((sum, [, spent]) => sum + spent, 0),
  };
}

function addTo(file: string, day: string, nanoUsd: number): Days {
  const days = readDays(file);
  const changed = Object.entries({ ...days, [day]: (days[day] ?? 0) + nanoUsd }).sort(([a], [b]) => (a < b ? -1 : 1));
  const kept = Object.fromEntries(changed.slice(-MAX_DAYS));
  const temporary = `${file}.tmp`;
  writeFileSync(temporary, JSON.stringify({ days: kept }), { mode: 0o600 });
  renameSync(temporary, file);
  return kept;
}

/** A file that is missing or damaged has no sums. */
function readDays(file: string): Days {
  try {
    const { days } = JSON.parse(readRegularFile(file)) as { readonly days?: unknown }; // checked here
    const entries = Object.entries(typeof days === "object" && days !== null ? days : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => Number.isFinite(entry[1])));
  } catch {
    return {};
  }
}
