/** Thrown for content with zero bytes in it. */
export class NotText extends Error {}

/** A sentence about why reading failed, and whether it concerns the file rather than a place in it. */
export interface Unreadable {
  readonly why: string;
  readonly isWholeFile: boolean;
}

/** Says in plain words what the system, or gzip, complained about after so many lines. */
export function whyUnreadable(error: unknown, lines = 0): Unreadable {
  if (error instanceof NotText)
    return { why: "it is binary, not text; a recording is JSONL in UTF-8, plain or gzip", isWholeFile: true };
  const code = codeOf(error);
  if (code?.startsWith("Z_") && lines === 0) return { why: nothingUnpacked(code), isWholeFile: true };
  if (code === "Z_BUF_ERROR")
    return { why: "the gzip data end too early; what came before was read", isWholeFile: false };
  if (code?.startsWith("Z_"))
    return { why: "the gzip data are damaged from here on; what came before was read", isWholeFile: false };
  const known = code === undefined ? undefined : sentences[code];
  return { why: known ?? (error instanceof Error ? error.message : String(error)), isWholeFile: true };
}

function nothingUnpacked(code: string): string {
  if (code === "Z_BUF_ERROR") return "the gzip data end too early, within the first line; nothing was read";
  return "it begins as gzip does, but it is no gzip or is damaged within the first line; nothing was read";
}

const sentences: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  EACCES: "there is no permission to read it",
  EPERM: "there is no permission to read it",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is not a directory",
  ELOOP: "its symbolic links lead in a circle",
  EMFILE: "too many files are open",
  ENXIO: "it is a socket or a device that cannot be read",
};

function codeOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
