import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { makeFolder } from "@sheepdog/records";
import { type LogLocation, logFile, logFolder, partNumber } from "./log-path.ts";
import { repairTail } from "./repair-tail.ts";

/** A file for appended lines. Throws disk errors; after an error the next line reopens and repairs the file. */
export interface LineFile {
  append(lines: string): void;
  close(): void;
}

interface LineFileLimits {
  /** Size at which the file is rotated: it gets a number, and a new file begins. */
  readonly maxBytes: number;
  /** How many rotated files stay. */
  readonly maxParts: number;
}

interface OpenFile {
  readonly fd: number;
  readonly inode: number;
  size: number;
}

/** Opens the log of a run at its first line. Only its owner can read it. */
export function openLineFile(location: LogLocation, { maxBytes, maxParts }: LineFileLimits): LineFile {
  const path = logFile(location);
  let current: OpenFile | undefined;

  const close = () => {
    const file = current;
    current = undefined;
    if (file !== undefined) closeSync(file.fd);
  };
  const reopen = (): OpenFile => {
    makeLogFolder(location);
    current = openPrivately(path);
    return current;
  };
  /** The open file, unless it was moved or removed meanwhile. */
  const currentFile = (): OpenFile => {
    const isInPlace = current !== undefined && lstatSync(path, { throwIfNoEntry: false })?.ino === current.inode;
    if (!isInPlace) close();
    return current ?? reopen();
  };

  return {
    append(lines) {
      const bytes = Buffer.from(lines);
      let file = currentFile();
      if (file.size > 0 && file.size + bytes.length > maxBytes) {
        close();
        rotate(location, maxParts);
        file = reopen();
      }
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(file.fd, bytes, written);
        file.size += bytes.length;
      } catch (error) {
        close(); // reopening repairs a partial line
        throw error;
      }
    },
    close,
  };
}

const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

function openPrivately(path: string): OpenFile {
  const fd = openSync(path, flags, 0o600);
  try {
    const { ino, mode } = fstatSync(fd);
    if ((mode & 0o777) !== 0o600) fchmodSync(fd, 0o600);
    return { fd, inode: ino, size: repairTail(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function makeLogFolder(location: LogLocation): void {
  const folder = logFolder(location);
  makeFolder(folder);
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw new Error(`Expected a folder at ${folder}, found a link or a file.`);
  if ((stats.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}

function rotate(location: LogLocation, maxParts: number): void {
  const parts = readdirSync(logFolder(location)).flatMap((file) => partNumber(location, file) ?? []);
  const next = Math.max(0, ...parts) + 1;
  renameSync(logFile(location), logFile(location, next));
  for (const part of parts) if (part <= next - maxParts) rmSync(logFile(location, part), { force: true });
}
