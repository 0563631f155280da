import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Home } from "../home.ts";
import { editFile } from "./edit-file.ts";
import { readConfigFile } from "./read-config-file.ts";

/** The project files that the user trusts, by their path: the hash of the content that was seen. */
export type Trusted = ReadonlyMap<string, string>;

/** What a content is known by. */
export function contentHash(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** What the user trusts. A list that cannot be read is an empty one: nothing is trusted by mistake. */
export async function readTrusted({ trustFile }: Home): Promise<Trusted> {
  const read = await readConfigFile(trustFile);
  return read.ok ? entriesOf(read.text) : new Map();
}

function entriesOf(text: string): Trusted {
  try {
    const found: unknown = JSON.parse(text);
    if (
      typeof found !== "object" ||
      found === null ||
      !("files" in found) ||
      typeof found.files !== "object" ||
      found.files === null
    )
      return new Map();
    return new Map(
      Object.entries(found.files).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return new Map(); // not what we wrote
  }
}

/** Remembers that the user trusts a file with this content, or no longer does. */
export function changeTrust({ trustFile }: Home, file: string, hash: string | undefined): Promise<void> {
  return editFile(trustFile, (before) => {
    const files = new Map(before === undefined ? [] : entriesOf(new TextDecoder().decode(before)));
    if (hash === undefined) files.delete(file);
    else files.set(file, hash);
    return `${JSON.stringify({ files: Object.fromEntries(files) }, null, 2)}\n`;
  });
}

/** A change of a file: the hashes of what it held, where it was there at all, and of what it holds now. */
export interface FileChange {
  readonly from: string | undefined;
  readonly to: string;
}

/** Who changes a trusted file with our own command, or makes one, trusts what came of it: that very content, and not what somebody else has written meanwhile. */
export async function keepTrust(home: Home, file: string, { from, to }: FileChange): Promise<void> {
  const path = await trustedPath(file);
  if (from === undefined || (await readTrusted(home)).get(path) === from) await changeTrust(home, path, to);
}

/** A file's path without symbolic links: one name for each file. */
export async function trustedPath(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    return join(await realpath(dirname(file)).catch(() => dirname(file)), basename(file)); // it is gone
  }
}
