import { existsSync, statSync } from "node:fs";
import { sessionsWithLogs } from "../../logs/log-folders.ts";
import { DatabaseError } from "./errors.ts";

/** Path of a rebuilt database that is complete, until it is at its place. */
export function rebuiltPath(path: string): string {
  return `${path}.rebuilt`;
}

/**
 * Throws when something shows that a missing database was there before. SQLite would write an old log into a new
 * database, and an empty ledger would allow what a limit has refused.
 */
export function checkNothingRemains(path: string, logDir: string | undefined): void {
  const remains = remainsOf(path, logDir);
  if (remains === undefined) return;
  throw new DatabaseError(
    `The database ${path} is missing, but ${remains} shows that there was one. ` +
      `To rebuild it from the run logs: sheepdog doctor --rebuild. To begin anew: remove ${remains}`,
    "SQLITE_CANTOPEN",
  );
}

/** A file or folder that shows that there was a database; undefined if there is none. */
export function remainsOf(path: string, logDir: string | undefined): string | undefined {
  if (existsSync(rebuiltPath(path))) return rebuiltPath(path);
  if (hasWriteAheadLog(path)) return `${path}-wal`;
  return logDir !== undefined && hasRunLogs(logDir) ? logDir : undefined;
}

/** A process that only reads leaves an empty one. */
export function hasWriteAheadLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function hasRunLogs(logDir: string): boolean {
  try {
    return sessionsWithLogs(logDir).length > 0;
  } catch {
    return true; // what cannot be read may be logs
  }
}
