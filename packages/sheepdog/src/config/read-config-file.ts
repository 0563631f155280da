import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** The text of a configuration file with the bytes it was made of; or why it cannot be had, with the line and column of the fault where there is one. */
export type ReadFile =
  | { readonly ok: true; readonly text: string; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly isMissing: true }
  | { readonly ok: false; readonly isMissing: false; readonly at: string; readonly why: string };

/** No configuration is larger. */
const mostBytes = 1_000_000;

/** Reads a file that a person may have broken in any way. */
export async function readConfigFile(path: string): Promise<ReadFile> {
  try {
    const bytes = await bytesOf(path);
    return typeof bytes === "string" ? refused(bytes) : textOf(bytes);
  } catch (error) {
    const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return { ok: false, isMissing: true };
    return refused(sentences[code] ?? `it cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
}

const sentences: Readonly<Record<string, string>> = {
  EACCES: "there is no permission to read it",
  EPERM: "there is no permission to read it",
  EISDIR: "it is a directory, not a file",
  ELOOP: "its symbolic links lead in a circle",
  ENXIO: "it is not a file",
};

/** The bytes, or why they are not read. A pipe must not be waited for. */
async function bytesOf(path: string): Promise<Uint8Array | string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (found.isDirectory()) return "it is a directory, not a file";
    if (!found.isFile()) return "it is not a file";
    if (found.size > mostBytes) return tooLarge;
    const bytes = new Uint8Array(mostBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= mostBytes; length += read)
      ({ bytesRead: read } = await file.read(bytes, length, bytes.length - length, length));
    return length > mostBytes ? tooLarge : bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}

const tooLarge = "it is larger than 1 MB, so it can hardly be a configuration";

function textOf(bytes: Uint8Array): ReadFile {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return refused("it is UTF-16; save it as UTF-8");
  if (!isUtf8(bytes)) return refused("this is not UTF-8; save the file as UTF-8", faultIn(bytes));
  return { ok: true, text: new TextDecoder().decode(bytes), bytes }; // without the byte order mark, if it has one
}

/** Where the first bytes are that are no characters. */
function faultIn(bytes: Uint8Array): string {
  let [low, high] = [0, bytes.length]; // the first `low` bytes are fine but perhaps for a cut character at their end
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isBegun(bytes.subarray(0, middle))) low = middle;
    else high = middle;
  }
  while (!isUtf8(bytes.subarray(0, low))) low--;
  const lines = new TextDecoder().decode(bytes.subarray(0, low)).split("\n");
  return `${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
}

function isBegun(bytes: Uint8Array): boolean {
  return [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, Math.max(0, bytes.length - cut))));
}

function refused(why: string, at = "1:1"): ReadFile {
  return { ok: false, isMissing: false, at, why };
}
