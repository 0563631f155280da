import { closeSync, linkSync, lstatSync, openSync, readFileSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { isProcessRunning } from "../is-process-running.ts";
import { clockMs } from "./clock-ms.ts";

/** A lock that is older belongs to a process that hangs, or whose id was given to another one. */
const STALE_MS = 15_000;
/** A lock without an id was made by a process that was killed at this moment. */
const UNSIGNED_MS = 1_000;
const PAUSE_MS = 4;

/**
 * Runs `work` while no other process has the lock. Waits at most this long and then throws. A lock that a killed
 * process left is taken over.
 */
export function withLock<T>(file: string, waitMs: number, work: () => T): T {
  takeLock(file, waitMs);
  try {
    return work();
  } finally {
    releaseLock(file);
  }
}

/**
 * Another process may have taken the lock over if the work has taken too long, as on a machine that was asleep. A lock
 * that cannot be removed is taken over later: what the work returned is worth more.
 */
function releaseLock(file: string): void {
  try {
    if (readLock(file)?.owner === String(process.pid)) unlinkSync(file);
  } catch {
    // as above
  }
}

function takeLock(file: string, waitMs: number): void {
  const until = clockMs() + waitMs;
  while (!tryLock(file)) {
    const isRemoved = removeStale(file);
    if (clockMs() >= until) throw new Error(`another hook has held ${file} for ${waitMs} ms`);
    if (!isRemoved) pause(PAUSE_MS);
  }
}

function tryLock(file: string): boolean {
  try {
    const descriptor = openSync(file, "wx", 0o600);
    try {
      writeSync(descriptor, String(process.pid));
    } catch (error) {
      unlinkSync(file); // as on a full disk: a lock without an id would make the next hooks wait
      throw error;
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes a lock whose process is gone. Returns whether it is worth trying again at once. */
function removeStale(file: string): boolean {
  const stale = readLock(file);
  if (stale === undefined) return true; // it was released meanwhile
  if (!isStale(stale)) return false;
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    // Another process may have replaced it since it was read. Then the lock is that process's, and goes back.
    if (readLock(aside)?.owner !== stale.owner) linkSync(aside, file);
    unlinkSync(aside);
    return true;
  } catch {
    return false; // another process was faster, or the folder cannot be written
  }
}

interface Lock {
  /** The id of its process; undefined if it cannot be read, as a lock of another user. */
  readonly owner: string | undefined;
  readonly ageMs: number;
}

function readLock(file: string): Lock | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // After the clock was set back, a lock seems to come from the future.
  const ageMs = Math.abs(Date.now() - stats.mtimeMs);
  try {
    return { owner: stats.isFile() ? readFileSync(file, "utf8") : undefined, ageMs };
  } catch (error) {
    return codeOf(error) === "ENOENT" ? undefined : { owner: undefined, ageMs };
  }
}

function isStale({ owner, ageMs }: Lock): boolean {
  if (ageMs > STALE_MS) return true;
  if (owner === undefined) return false;
  return owner === "" ? ageMs > UNSIGNED_MS : !isProcessRunning(Number(owner));
}

/** Hooks are short and have nothing else to do meanwhile. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
