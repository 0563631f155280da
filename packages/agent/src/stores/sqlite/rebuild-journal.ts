import { randomUUID } from "node:crypto";
import {
  closeSync,
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

/** Where a rebuild that goes on says what it does: whoever finds it after a crash goes on from there. */
export function rebuildJournalPath(path: string): string {
  return `${path}.rebuild`;
}

/** A rebuild that goes on. */
export interface RebuildPaths {
  /** Where the damaged database is. */
  readonly movedTo: string;
  /** Where the new one is made, under a name that no connection of this process has had: one that is closed late would take the log of the next away. */
  readonly unfinished: string;
  /** Where what was found at the place of the damaged database after a crash is now. */
  readonly alsoMoved?: string;
}

/** Moves a damaged database aside with its log: into the same folder, under a name with the time that nothing else has. One that was begun before is finished. */
export function beginRebuild(path: string, at: number): RebuildPaths {
  const begun = readJournal(path);
  removeRemains(path);
  const movedTo = begun?.movedTo ?? freeName(`${path}.damaged-${stamp(at)}`);
  const unfinished = `${path}.rebuilding-${randomUUID()}`;
  writeJournal(path, { movedTo, unfinished });
  if (!existsSync(movedTo)) {
    moveAll(path, movedTo);
    return { movedTo, unfinished };
  }
  if (!existsSync(path)) return { movedTo, unfinished };
  const alsoMoved = freeName(`${path}.meanwhile-${stamp(at)}`);
  moveAll(path, alsoMoved);
  return { movedTo, unfinished, alsoMoved };
}

/** Whether a rebuild was ended before its new database was in place. Where it was in place already, what is left of it is taken away. */
export function isRebuildInterrupted(path: string): boolean {
  if (!existsSync(rebuildJournalPath(path))) return false;
  const { unfinished } = readJournal(path) ?? {};
  const [one, other] = [path, unfinished ?? ""].map((file) => lstatSync(file, { throwIfNoEntry: false })?.ino);
  if (one === undefined || one !== other) return true;
  endRebuild(path);
  return false;
}

/** Puts a finished database in its place, where nothing may be. */
export function finishRebuild(path: string, { unfinished }: RebuildPaths): void {
  const log = lstatSync(`${unfinished}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0)
    throw new Error(`Expected all of the new database to be in ${unfinished}, found a part of it in its log.`);
  linkExclusively(unfinished, path);
  syncFolder(path);
  endRebuild(path);
}

function endRebuild(path: string): void {
  rmSync(rebuildJournalPath(path), { force: true });
  removeRemains(path);
  syncFolder(path);
}

/** The database last: until then it is not moved. */
function moveAll(from: string, to: string): void {
  for (const end of ["-shm", "-wal", ""]) if (existsSync(from + end)) renameSync(from + end, to + end);
  syncFolder(from);
}

/** What rebuilds have left that were ended. */
function removeRemains(path: string): void {
  for (const name of readdirSync(dirname(path)))
    if ([".rebuilding-", ".salvage-"].some((part) => name.startsWith(basename(path) + part)))
      removeDatabase(join(dirname(path), name));
}

function writeJournal(path: string, { movedTo, unfinished }: RebuildPaths): void {
  const text = `${basename(movedTo)}\n${basename(unfinished)}\n`;
  writeFileSync(`${rebuildJournalPath(path)}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${rebuildJournalPath(path)}.new`, rebuildJournalPath(path));
  syncFolder(path);
}

function readJournal(path: string): RebuildPaths | undefined {
  if (!existsSync(rebuildJournalPath(path))) return undefined;
  const [moved = "", made = ""] = readFileSync(rebuildJournalPath(path), "utf8").split("\n");
  if (!moved.startsWith(`${basename(path)}.damaged-`)) return undefined; // not one of ours
  return { movedTo: join(dirname(path), basename(moved)), unfinished: join(dirname(path), basename(made)) };
}

function freeName(wanted: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!["", "-wal", "-shm"].some((end) => lstatSync(name + end, { throwIfNoEntry: false }) !== undefined))
      return name;
  }
}

function stamp(at: number): string {
  return new Date(at).toISOString().replace(/[:.]/g, "-");
}

function syncFolder(path: string): void {
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
