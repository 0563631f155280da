import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** The text and bytes of a file; or why it cannot be read, and at which line and column. */
export type ReadFile =
  | { readonly ok: true; readonly text: string; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly isMissing: true }
  | { readonly ok: false; readonly isMissing: false; readonly at: string; readonly why: string };

const MAX_BYTES = 1_000_000;

/** Reads a configuration file, or another small file (`kind`). Any fault of the file is a value, not an exception. */
export async function readConfigFile(path: string, kind = "configuration"): Promise<ReadFile> {
  try {
    const bytes = await bytesOf(path, `it is larger than 1 MB, so it is not a ${kind}`);
    return typeof bytes === "string" ? unreadable(bytes) : decode(bytes);
  } catch (error) {
    const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return { ok: false, isMissing: true };
    return unreadable(reasons[code] ?? `it cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "there is no permission to read it",
  EPERM: "there is no permission to read it",
  EISDIR: "it is a directory, not a file",
  ELOOP: "its symbolic links lead in a circle",
  ENXIO: "it is not a file",
};

/** The bytes, or why they cannot be read. O_NONBLOCK: opening a pipe must not wait for its writer. */
async function bytesOf(path: string, tooLarge: string): Promise<Uint8Array | string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) return "it is a directory, not a file";
    if (!stats.isFile()) return "it is not a file";
    if (stats.size > MAX_BYTES) return tooLarge;
    const bytes = new Uint8Array(MAX_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= MAX_BYTES; length += read)
      ({ bytesRead: read } = await file.read(bytes, length, bytes.length - length, length));
    return length > MAX_BYTES ? tooLarge : bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}

function decode(bytes: Uint8Array): ReadFile {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return unreadable("it is UTF-16; save it as UTF-8");
  if (!isUtf8(bytes)) return unreadable("this is not UTF-8; save the file as UTF-8", invalidPosition(bytes));
  return { ok: true, text: new TextDecoder().decode(bytes), bytes }; // removes a byte order mark
}

/** The line and column of the first invalid bytes. */
function invalidPosition(bytes: Uint8Array): string {
  let [low, high] = [0, bytes.length]; // the first `low` bytes are valid, except for a character cut at the end
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isValidPrefix(bytes.subarray(0, middle))) low = middle;
    else high = middle;
  }
  while (!isUtf8(bytes.subarray(0, low))) low--;
  const lines = new TextDecoder().decode(bytes.subarray(0, low)).split("\n");
  return `${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
}

function isValidPrefix(bytes: Uint8Array): boolean {
  return [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, Math.max(0, bytes.length - cut))));
}

function unreadable(why: string, at = "1:1"): ReadFile {
  return { ok: false, isMissing: false, at, why };
}
