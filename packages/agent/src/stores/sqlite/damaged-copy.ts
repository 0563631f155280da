import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import type { WriteAheadLog } from "./write-ahead-log.ts";

export interface DamagedCopyOptions {
  readonly from: string;
  readonly to: string;
  /** Its sound frames are written into the copy, also those after a damaged frame. */
  readonly wal?: WriteAheadLog | undefined;
  /** The first page of an intact database with the same schema. Replaces a first page that cannot be read. */
  readonly firstPage?: Uint8Array | undefined;
}

/** Copies a damaged database, so that it can be read while the original stays unchanged. */
export async function copyDamaged({ from, to, wal, firstPage }: DamagedCopyOptions): Promise<void> {
  removeDatabase(to);
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  const file = openSync(to, "r+");
  try {
    if (wal !== undefined) writeFrames(file, wal);
    if (firstPage !== undefined) writeFirstPage(file, firstPage);
  } finally {
    closeSync(file);
  }
}

/** Removes a database with its log files. */
export function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

/** Reads the first page of a database that no process has open. */
export function readFirstPage(path: string): Uint8Array {
  const file = openSync(path, "r");
  try {
    const header = Buffer.alloc(100);
    readSync(file, header, 0, 100, 0);
    const size = header.readUInt16BE(16);
    const page = Buffer.alloc(size === 1 ? 65_536 : size);
    readSync(file, page, 0, page.length, 0);
    return page;
  } finally {
    closeSync(file);
  }
}

function writeFrames(file: number, { frames, pageSize }: WriteAheadLog): void {
  const last = frames.findLastIndex(({ isSound, databasePages }) => isSound && databasePages > 0);
  for (const { page, bytes, isSound } of frames.slice(0, last + 1))
    if (isSound && page > 0) writeAll(file, bytes, (page - 1) * pageSize);
  const size = (frames[last]?.databasePages ?? 0) * pageSize;
  if (size > 0 && fstatSync(file).size > size) ftruncateSync(file, size);
}

function writeFirstPage(file: number, firstPage: Uint8Array): void {
  const page = Buffer.from(firstPage);
  page.writeUInt32BE(Math.max(1, Math.floor(fstatSync(file).size / page.length)), 28); // number of pages
  page.fill(0, 32, 40); // an empty list of free pages
  writeAll(file, page, 0);
}

function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(file, bytes, written, bytes.length - written, position + written);
}
