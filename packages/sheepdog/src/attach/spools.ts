import { closeSync, fstatSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HookAgent, SpoolLine } from "@sheepdog/integrations/hooks";
import { openRegularFile } from "@sheepdog/records/files";
import type { Home } from "../home.ts";

/** The spool of one session of an attached agent. */
export interface Spool {
  readonly file: string;
  /** When it was last written; milliseconds since 1970. */
  readonly changedAt: number;
}

/** The spools of an agent, newest first. */
export function spoolsOf({ attachDir }: Pick<Home, "attachDir">, agent: HookAgent): readonly Spool[] {
  const dir = join(attachDir, agent);
  return namesIn(dir)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => {
      const file = join(dir, name);
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats?.isFile() ? [{ file, changedAt: stats.mtimeMs }] : [];
    })
    .sort((one, other) => other.changedAt - one.changedAt);
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return []; // no hook has fired yet
  }
}

/** The last lines of a spool, oldest first. Lines that another process is just writing are left out. */
export function lastLines({ file }: Pick<Spool, "file">, maxBytes: number): readonly SpoolLine[] {
  const text = tailOf(file, maxBytes);
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as SpoolLine]; // our own file
    } catch {
      return []; // cut off
    }
  });
}

function tailOf(file: string, maxBytes: number): string {
  try {
    const descriptor = openRegularFile(file);
    try {
      const { size } = fstatSync(descriptor);
      const bytes = Buffer.alloc(Math.min(size, maxBytes));
      const read = readSync(descriptor, bytes, 0, bytes.length, Math.max(0, size - maxBytes));
      return bytes.subarray(0, read).toString("utf8");
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return ""; // it was removed meanwhile
  }
}
