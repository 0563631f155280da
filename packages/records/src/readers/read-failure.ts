/** Thrown for content with zero bytes. */
export class BinaryContent extends Error {}

/** Thrown for content that this version of Node cannot unpack. The message is a sentence. */
export class UnsupportedPacking extends Error {}

/** Why reading failed, as a sentence. */
export interface ReadFailure {
  readonly why: string;
  /** False when only the part after the lines already read is lost. */
  readonly isWholeFile: boolean;
}

/** Describes an error of the file system or of a packed file that occurred after `linesRead` lines. */
export function describeReadFailure(error: unknown, linesRead = 0): ReadFailure {
  if (error instanceof BinaryContent)
    return { why: "it is binary, not text; a recording is JSONL in UTF-8, plain or packed", isWholeFile: true };
  const code = errorCode(error);
  if (code?.startsWith("Z_")) return describePackedFailure("gzip", code === "Z_BUF_ERROR", linesRead);
  if (code?.startsWith("ZSTD_")) return describePackedFailure("Zstandard", false, linesRead);
  const sentence = code === undefined ? undefined : systemErrors[code];
  return { why: sentence ?? (error instanceof Error ? error.message : String(error)), isWholeFile: true };
}

function describePackedFailure(format: string, isCutOff: boolean, linesRead: number): ReadFailure {
  if (linesRead > 0) {
    const what = isCutOff ? `the ${format} data end too early` : `the ${format} data are damaged from here on`;
    return { why: `${what}; what came before was read`, isWholeFile: false };
  }
  const what = isCutOff
    ? `the ${format} data end too early, within the first line`
    : `it begins like ${format}, but it is not ${format} or is damaged within the first line`;
  return { why: `${what}; nothing was read`, isWholeFile: true };
}

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  EACCES: "there is no permission to read it",
  EPERM: "there is no permission to read it",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is not a directory",
  ELOOP: "its symbolic links lead in a circle",
  EMFILE: "too many files are open",
  ENXIO: "it is a socket or a device that cannot be read",
};

function errorCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
