import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import type { WriteAheadLog } from "./write-ahead-log.ts";

/** A copy of a damaged database, to be read from: the database itself stays as it was found. */
export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  /** What was committed there is put into the copy, also behind a frame that is damaged. */
  readonly wal?: WriteAheadLog | undefined;
  /** The first page of a sound database, which says where the tables begin; in place of one that cannot be read. */
  readonly firstPage?: Uint8Array | undefined;
}

/** Makes the copy. */
export async function copyDamaged({ from, to, wal, firstPage }: CopyOptions): Promise<void> {
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

/** Removes a database that is of no use any more, with what belongs to it. */
export function removeDatabase(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(path + end, { force: true });
}

/** The first page of a database that nobody has open. */
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
  const end = frames.findLastIndex(({ isSound, pages }) => isSound && pages > 0);
  for (const { page, bytes, isSound } of frames.slice(0, end + 1))
    if (isSound && page > 0) writeAll(file, bytes, (page - 1) * pageSize);
  const pages = frames[end]?.pages ?? 0;
  if (pages > 0 && fstatSync(file).size > pages * pageSize) ftruncateSync(file, pages * pageSize);
}

function writeFirstPage(file: number, firstPage: Uint8Array): void {
  const page = Buffer.from(firstPage);
  page.writeUInt32BE(Math.max(1, Math.floor(fstatSync(file).size / page.length)), 28); // how many pages there are
  page.fill(0, 32, 40); // and none of them is free
  writeAll(file, page, 0);
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(file, bytes, written, bytes.length - written, at + written);
}
