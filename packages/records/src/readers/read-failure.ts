import { sqliteCode } from "../platform/sqlite.ts";

/** Thrown for content with zero bytes. */
export class BinaryContent extends Error {}

/** Thrown for content that this version of Node cannot unpack. The message is a sentence. */
export class UnsupportedPacking extends Error {}

/** Why reading failed, as a sentence. */
export interface ReadFailure {
  readonly why: string;
  /** False when only the part after the lines already read is lost. */
  readonly isWholeFile: boolean;
  /** False when the same content would fail again. */
  readonly isTemporary: boolean;
}

/** Describes an error of the file system or of a packed file that occurred after `linesRead` lines. */
export function describeReadFailure(error: unknown, linesRead = 0): ReadFailure {
  if (error instanceof BinaryContent)
    return {
      why: "it is binary, not text; a recording is JSONL in UTF-8, plain or packed",
      isWholeFile: true,
      isTemporary: false,
    };
  const database = databaseErrors[(sqliteCode(error) ?? 0) & 0xff]; // the primary result code
  if (database !== undefined) return { why: database, isWholeFile: true, isTemporary: database !== damaged };
  const code = errorCode(error);
  if (code?.startsWith("Z_")) return describePackedFailure("gzip", code === "Z_BUF_ERROR", linesRead);
  if (code?.startsWith("ZSTD_")) return describePackedFailure("Zstandard", false, linesRead);
  const sentence = code === undefined ? undefined : systemErrors[code];
  return {
    why: sentence ?? (error instanceof Error ? error.message : String(error)),
    isWholeFile: true,
    isTemporary: true,
  };
}

function describePackedFailure(format: string, isCutOff: boolean, linesRead: number): ReadFailure {
  if (linesRead > 0) {
    const what = isCutOff ? `the ${format} data end too early` : `the ${format} data are damaged from here on`;
    return { why: `${what}; what came before was read`, isWholeFile: false, isTemporary: false };
  }
  const what = isCutOff
    ? `the ${format} data end too early, within the first line`
    : `it begins like ${format}, but it is not ${format} or is damaged within the first line`;
  return { why: `${what}; nothing was read`, isWholeFile: true, isTemporary: false };
}

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  EACCES: "there is no permission to read it",
  EPERM: "there is no permission to read it",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is not a directory",
  ELOOP: "its symbolic links lead in a circle",
  ENOSPC: "the temporary folder has no room for a copy of it; set TMPDIR to a folder with more room",
  EMFILE: "too many files are open",
  ENXIO: "it is a socket or a device that cannot be read",
};

const locked = "another program has locked this database; close that program, or try again when it is idle";
const damaged = "this SQLite database is damaged; what could be read of it was read";

const databaseErrors: Readonly<Record<number, string>> = {
  5: locked,
  6: locked,
  8: "this SQLite database cannot be read without changing it; copy it to another folder and read the copy",
  10: "the disk failed while this SQLite database was read",
  11: damaged,
  14: "this SQLite database cannot be opened; check the permissions of the file and of its folder",
  26: damaged,
};

function errorCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
