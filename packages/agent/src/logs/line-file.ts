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

/** A file that lines are appended to, each written out at once. Throws what the disk throws; the next line then opens the file anew and puts its end in order. */
export interface LineFile {
  append(line: string): void;
  close(): void;
}

const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** The log of a run, readable by its owner only. At `maxBytes` it is put aside under a number; of those the newest `maxParts` are kept. */
export function openLineFile(place: LogLocation, limits: LineFileLimits): LineFile {
  return new AppendedFile(place, limits);
}

interface LineFileLimits {
  readonly maxBytes: number;
  readonly maxParts: number;
}

interface Opened {
  readonly fd: number;
  readonly inode: number;
  size: number;
}

class AppendedFile implements LineFile {
  private readonly place: LogLocation;
  private readonly limits: LineFileLimits;
  private readonly path: string;
  private opened: Opened | undefined = undefined;

  constructor(place: LogLocation, limits: LineFileLimits) {
    this.place = place;
    this.limits = limits;
    this.path = logFile(place);
  }

  append(line: string): void {
    if (this.opened !== undefined && !this.isStillThere(this.opened)) this.close();
    let file = this.opened ?? this.open();
    const bytes = Buffer.from(line);
    if (file.size > 0 && file.size + bytes.length > this.limits.maxBytes) {
      this.close();
      putAside(this.place, this.limits.maxParts);
      file = this.open();
    }
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(file.fd, bytes, written);
      file.size += bytes.length;
    } catch (error) {
      this.close(); // half a line may be there; opening repairs it
      throw error;
    }
  }

  close(): void {
    const before = this.opened;
    this.opened = undefined;
    if (before !== undefined) closeSync(before.fd);
  }

  private open(): Opened {
    makeLogFolder(this.place);
    const fd = openSync(this.path, flags, 0o600);
    try {
      const { ino, mode } = fstatSync(fd);
      if ((mode & 0o777) !== 0o600) fchmodSync(fd, 0o600);
      const opened: Opened = { fd, inode: ino, size: repairTail(fd) };
      this.opened = opened;
      return opened;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** Somebody may have moved or removed the file while it was open. */
  private isStillThere({ inode }: Opened): boolean {
    return lstatSync(this.path, { throwIfNoEntry: false })?.ino === inode;
  }
}

function makeLogFolder(place: LogLocation): void {
  const folder = logFolder(place);
  makeFolder(folder);
  const found = lstatSync(folder);
  if (!found.isDirectory()) throw new Error(`Expected a folder at ${folder}, found a link or a file.`);
  if ((found.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}

function putAside(place: LogLocation, maxParts: number): void {
  const parts = readdirSync(logFolder(place)).flatMap((file) => partNumber(place, file) ?? []);
  const next = Math.max(0, ...parts) + 1;
  renameSync(logFile(place), logFile(place, next));
  for (const part of parts) if (part <= next - maxParts) rmSync(logFile(place, part), { force: true });
}
