import { existsSync, lstatSync, readdirSync } from "node:fs";
import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { logLocationProblem } from "./log-path.ts";

/** The logs of a session on disk. */
export interface LogFolder {
  readonly sessionId: string;
  readonly path: string;
  /** Its runs, by name. */
  readonly runs: readonly string[];
  readonly files: readonly string[];
  readonly bytes: number;
  /** When the newest of its files was written to. */
  readonly updatedAt: number;
}

/** The sessions that have a folder of logs, and when a file was last added to it or taken from it: one look at each folder, which is quick for many. */
export function sessionsWithLogs(dir: string): readonly { readonly sessionId: string; readonly changedAt: number }[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir).flatMap((sessionId) => {
    if (logLocationProblem({ dir, sessionId, runId: "run" }) !== undefined) return [];
    const found = lstatSync(join(dir, sessionId), { throwIfNoEntry: false });
    return found?.isDirectory() ? [{ sessionId, changedAt: Math.floor(found.mtimeMs) }] : [];
  });
}

/** The folders of logs in a folder, the one written to last at the end. What is no log is passed over, and links are not followed. */
export async function logFolders(dir: string): Promise<readonly LogFolder[]> {
  const names = await unlessMissing(readdir(dir), []);
  const folders: LogFolder[] = [];
  for (const name of names) folders.push(...(await logFolderOf(dir, name)));
  return folders.sort((one, other) => one.updatedAt - other.updatedAt || (one.sessionId < other.sessionId ? -1 : 1));
}

/** The logs of one session, as a list of one folder or none. */
export async function logFolderOf(dir: string, sessionId: string): Promise<readonly LogFolder[]> {
  if (logLocationProblem({ dir, sessionId, runId: "run" }) !== undefined) return [];
  const path = join(dir, sessionId);
  const found = await unlessMissing(lstat(path), undefined);
  if (found === undefined || !found.isDirectory()) return [];
  const files: string[] = [];
  const runs = new Set<string>();
  let bytes = 0;
  let updatedAt = 0;
  for (const file of await readdir(path)) {
    const runId = /^([A-Za-z0-9][A-Za-z0-9_-]{0,127})(?:\.[1-9]\d{0,8})?\.jsonl$/.exec(file)?.[1];
    const stat = runId === undefined ? undefined : await unlessMissing(lstat(join(path, file)), undefined); // it may be put aside meanwhile
    if (runId === undefined || stat === undefined || !stat.isFile()) continue;
    files.push(file);
    runs.add(runId);
    bytes += stat.size;
    updatedAt = Math.max(updatedAt, Math.floor(stat.mtimeMs));
  }
  return [{ sessionId, path, runs: [...runs].sort(), files, bytes, updatedAt: updatedAt || Math.floor(found.mtimeMs) }];
}

/** Removes the log files of a folder, and the folder where nothing else is in it. */
export async function removeLogFolder({ path, files }: LogFolder): Promise<void> {
  for (const file of files) await rm(join(path, file), { force: true });
  const left = await unlessMissing(readdir(path), []);
  if (left.length === 0) await unlessMissing(rmdir(path), undefined);
}

async function unlessMissing<T, U>(asked: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return otherwise;
    throw error;
  }
}
