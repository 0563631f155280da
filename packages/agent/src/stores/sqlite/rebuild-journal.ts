import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { removeDatabase } from "./damaged-copy.ts";
import { linkExclusively } from "./exclusive-link.ts";

/** Path of the journal of a rebuild in progress. After a crash the next process finishes the rebuild with it. */
export function rebuildJournalPath(path: string): string {
  return `${path}.rebuild`;
}

/** The paths of a rebuild. */
export interface RebuildPaths {
  /** Where the files of the damaged database are now; undefined when there were none. */
  readonly movedTo?: string;
  /**
   * Where the new database is written until it is complete. No connection of this process has ever used this name: a
   * connection that closes late would delete the log of the new database.
   */
  readonly draft: string;
  /** Where a database is now that was found at the original path after a crash. */
  readonly alsoMoved?: string;
}

/**
 * Moves a damaged database and its log to a free name in the same folder, and starts the journal. Continues a rebuild
 * that was interrupted.
 */
export function beginRebuild(path: string, at: number): RebuildPaths {
  const interrupted = readJournal(path);
  removeLeftovers(path);
  const draft = `${path}.rebuilding-${randomUUID()}`;
  const movedTo = interrupted?.movedTo ?? freeName(`${path}.damaged-${timestamp(at)}`);
  writeJournal(path, { movedTo, draft });
  const isMoved = existsSync(movedTo);
  if (!isMoved) moveFiles(path, movedTo);
  if (!hasFiles(movedTo)) return { draft };
  if (!isMoved || !existsSync(path)) return { movedTo, draft };
  const alsoMoved = freeName(`${path}.meanwhile-${timestamp(at)}`);
  moveFiles(path, alsoMoved);
  return { movedTo, draft, alsoMoved };
}

/** Whether a rebuild ended before the new database was in place. Cleans up when only the clean-up was missing. */
export function isRebuildInterrupted(path: string): boolean {
  if (!existsSync(rebuildJournalPath(path))) return false;
  const draft = readJournal(path)?.draft;
  const inode = inodeOf(path);
  const isInPlace = draft !== undefined && inode !== undefined && inode === inodeOf(draft);
  if (isInPlace) cleanUp(path);
  return !isInPlace;
}

/** Where the files of the damaged database are while a rebuild is interrupted; undefined without one. */
export function interruptedRebuildSource(path: string): string | undefined {
  const movedTo = readJournal(path)?.movedTo;
  return movedTo !== undefined && !existsSync(path) && hasFiles(movedTo) ? movedTo : undefined;
}

/** Puts the new database at its path, which must be free, and removes the journal. */
export function finishRebuild(path: string, { draft }: RebuildPaths): void {
  const log = lstatSync(`${draft}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0)
    throw new Error(`Expected the new database to be complete in ${draft}, found a part of it in its log.`);
  replaceByCopy(draft);
  linkExclusively(draft, path);
  syncFolder(path);
  cleanUp(path);
}

/**
 * Makes the draft another file with the same content. A connection to the draft may close late, and SQLite shares the
 * index of the write-ahead log among all connections of a process to one file: the new database would be used with the
 * index of the draft, and other processes would not see what this one writes.
 */
function replaceByCopy(draft: string): void {
  const copy = `${draft}.copy`;
  copyFileSync(draft, copy);
  chmodSync(copy, 0o600);
  const file = openSync(copy, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(copy, draft);
}

function cleanUp(path: string): void {
  rmSync(rebuildJournalPath(path), { force: true });
  removeLeftovers(path);
  syncFolder(path);
}

const fileSuffixes = ["-shm", "-wal", ""] as const;

function hasFiles(path: string): boolean {
  return fileSuffixes.some((suffix) => lstatSync(path + suffix, { throwIfNoEntry: false }) !== undefined);
}

/** Moves the database file last: until then it counts as not moved. */
function moveFiles(from: string, to: string): void {
  for (const suffix of fileSuffixes) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  syncFolder(from);
}

/** Removes the drafts and copies of interrupted rebuilds. */
function removeLeftovers(path: string): void {
  const prefixes = [".rebuilding-", ".salvage-"].map((part) => basename(path) + part);
  for (const name of readdirSync(dirname(path)))
    if (prefixes.some((prefix) => name.startsWith(prefix))) removeDatabase(join(dirname(path), name));
}

type Journal = Required<Pick<RebuildPaths, "movedTo" | "draft">>;

function writeJournal(path: string, { movedTo, draft }: Journal): void {
  const text = `${basename(movedTo)}\n${basename(draft)}\n`;
  const file = rebuildJournalPath(path);
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  syncFolder(path);
}

/** Undefined when there is no journal, or when its content is not ours. */
function readJournal(path: string): Journal | undefined {
  const file = rebuildJournalPath(path);
  if (!existsSync(file)) return undefined;
  const [movedTo = "", draft = ""] = readFileSync(file, "utf8").split("\n");
  if (!movedTo.startsWith(`${basename(path)}.damaged-`)) return undefined;
  return { movedTo: join(dirname(path), basename(movedTo)), draft: join(dirname(path), basename(draft)) };
}

function freeName(wanted: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!hasFiles(name)) return name;
  }
}

function timestamp(at: number): string {
  return new Date(at).toISOString().replace(/[:.]/g, "-");
}

function inodeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}

function syncFolder(path: string): void {
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
