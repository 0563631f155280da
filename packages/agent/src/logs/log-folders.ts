import { existsSync, lstatSync, readdirSync } from "node:fs";
import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { logLocationProblem } from "./log-path.ts";

/** The logs of a session on disk. */
export interface LogFolder {
  readonly sessionId: string;
  readonly path: string;
  /** Run ids, sorted. */
  readonly runs: readonly string[];
  readonly files: readonly string[];
  readonly bytes: number;
  /** When the newest file was written to. */
  readonly updatedAt: number;
}

/** Ids of the sessions that have a log folder. */
export function sessionsWithLogs(dir: string): readonly string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir).filter(
    (name) => isSessionId(name) && lstatSync(join(dir, name), { throwIfNoEntry: false })?.isDirectory(),
  );
}

/** All log folders, the one that was written to last at the end. Skips other files and does not follow links. */
export async function logFolders(dir: string): Promise<readonly LogFolder[]> {
  const names = await orIfMissing(readdir(dir), []);
  const folders: LogFolder[] = [];
  for (const name of names) folders.push(...(await logFolderOf(dir, name)));
  return folders.sort((a, b) => a.updatedAt - b.updatedAt || (a.sessionId < b.sessionId ? -1 : 1));
}

/** The logs of one session: a list of one folder, or an empty list. */
export async function logFolderOf(dir: string, sessionId: string): Promise<readonly LogFolder[]> {
  if (!isSessionId(sessionId)) return [];
  const path = join(dir, sessionId);
  const folder = await orIfMissing(lstat(path), undefined);
  if (folder === undefined || !folder.isDirectory()) return [];
  const files: string[] = [];
  const runs = new Set<string>();
  let bytes = 0;
  let updatedAt = 0;
  for (const file of await readdir(path)) {
    const runId = /^([A-Za-z0-9][A-Za-z0-9_-]{0,127})(?:\.[1-9]\d{0,8})?\.jsonl$/.exec(file)?.[1];
    if (runId === undefined) continue;
    const stats = await orIfMissing(lstat(join(path, file)), undefined); // a rotation may rename it meanwhile
    if (stats === undefined || !stats.isFile()) continue;
    files.push(file);
    runs.add(runId);
    bytes += stats.size;
    updatedAt = Math.max(updatedAt, Math.floor(stats.mtimeMs));
  }
  updatedAt ||= Math.floor(folder.mtimeMs);
  return [{ sessionId, path, runs: [...runs].sort(), files, bytes, updatedAt }];
}

/** Removes the log files of a folder, and the folder when it is empty then. */
export async function removeLogFolder({ path, files }: LogFolder): Promise<void> {
  for (const file of files) await rm(join(path, file), { force: true });
  const remaining = await orIfMissing(readdir(path), []);
  if (remaining.length === 0) await orIfMissing(rmdir(path), undefined);
}

function isSessionId(name: string): boolean {
  return logLocationProblem({ dir: "", sessionId: name, runId: "run" }) === undefined;
}

async function orIfMissing<T, U>(operation: Promise<T>, fallback: U): Promise<T | U> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return fallback;
    throw error;
  }
}
