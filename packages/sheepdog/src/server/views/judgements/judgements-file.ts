import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "@sheepdog/records";
import type { Home } from "../../../home.ts";
import { type Judgement, parseJudgement } from "./judgement-line.ts";

/** Only the newest part of a longer file is read. */
const MAX_BYTES = 4_000_000;

/** The file with the user's judgements, one JSON object a line. */
export function judgementsFile({ dir }: Pick<Home, "dir">): string {
  return join(dir, "judgements.jsonl");
}

/** A link at the place of the file is not followed. */
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** Appends a judgement to a file that only its owner can read. Rejects if it cannot be written. */
export async function appendJudgement(path: string, judgement: Judgement): Promise<void> {
  makeFolder(dirname(path));
  const file = await open(path, appending, 0o600);
  try {
    await file.chmod(0o600); // an older file may have other permissions
    await file.appendFile(`${JSON.stringify(judgement)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

interface ReadFile {
  readonly version: string;
  readonly judgements: readonly Judgement[];
}

/** The newest content of each file. */
const files = new Map<string, ReadFile>();

/** The judgements in a file, oldest first. A missing file has none, and damaged lines are skipped. */
export async function readJudgements(path: string): Promise<readonly Judgement[]> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return [];
  try {
    const { size, mtimeMs, ino } = await file.stat();
    const version = `${ino} ${size} ${mtimeMs}`;
    const known = files.get(path);
    if (known?.version === version) return known.judgements;
    const start = Math.max(0, size - MAX_BYTES);
    const buffer = Buffer.alloc(size - start);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    const lines = buffer
      .toString("utf8", 0, bytesRead)
      .split("\n")
      .slice(start === 0 ? 0 : 1);
    const judgements = lines.flatMap((line) => parseJudgement(line) ?? []);
    files.set(path, { version, judgements });
    return judgements;
  } catch {
    return []; // a folder, or no permission: nothing was judged as far as can be known
  } finally {
    await file.close();
  }
}
