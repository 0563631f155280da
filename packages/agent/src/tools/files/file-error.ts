const sentences: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "its links form a loop",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the disk is read-only",
  EMFILE: "too many files are open",
  EAGAIN: "there is nothing to read now",
  EIO: "the disk failed",
  ETXTBSY: "it is a program that is running",
};

/** The system's code of an error, such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}

/** Why the file system refused, as part of a sentence and without paths. */
export function describeFileError(error: unknown): string {
  const code = errorCode(error);
  return sentences[code ?? ""] ?? `it failed (${code ?? "the system gave no error code"})`;
}
