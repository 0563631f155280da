import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Home } from "../home.ts";
import { editFile } from "./edit-file.ts";
import { readConfigFile } from "./read-config-file.ts";

/** The hashes of the project files that the user trusts, by path. */
export type Trusted = ReadonlyMap<string, string>;

/** Identifies a content. */
export function contentHash(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Reads what the user trusts. An unreadable list counts as empty, so that nothing is trusted by mistake. */
export async function readTrusted({ trustFile }: Home): Promise<Trusted> {
  const read = await readConfigFile(trustFile);
  return read.ok ? parseEntries(read.text) : new Map();
}

function parseEntries(text: string): Trusted {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !("files" in value) || !isObject(value.files)) return new Map();
    const entries = Object.entries(value.files);
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return new Map(); // not a file that we wrote
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Stores that the user trusts a file with this content; an undefined hash revokes the trust. */
export function changeTrust({ trustFile }: Home, file: string, hash: string | undefined): Promise<void> {
  return editFile(trustFile, (content) => {
    const files = new Map(content === undefined ? [] : parseEntries(new TextDecoder().decode(content)));
    if (hash === undefined) files.delete(file);
    else files.set(file, hash);
    return `${JSON.stringify({ files: Object.fromEntries(files) }, null, 2)}\n`;
  });
}

/** The hashes of a file before and after a change. `from` is undefined for a new file. */
export interface FileChange {
  readonly from: string | undefined;
  readonly to: string;
}

/**
 * Keeps the trust in a file that the user changed or created with our own command: in exactly this content, not in what
 * another process has written meanwhile.
 */
export async function keepTrust(home: Home, file: string, { from, to }: FileChange): Promise<void> {
  const path = await trustedPath(file);
  if (from === undefined || (await readTrusted(home)).get(path) === from) await changeTrust(home, path, to);
}

/** The path of a file without symbolic links: each file has one name. */
export async function trustedPath(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    return join(await realpath(dirname(file)).catch(() => dirname(file)), basename(file)); // the file is missing
  }
}
