import { randomUUID } from "node:crypto";
import { open, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { openFlags } from "@sheepdog/records/files";
import { generatorMark } from "./page.ts";

/** Whether a report was written, or the sentence that says why not. */
export type WrittenReport = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** The mark stands within the first bytes of a report. */
const HEAD_BYTES = 400;

/** Writes a report in one step, so that there is never half of one. Only the user may read it. */
export async function writeReportFile(
  path: string,
  { page, name }: { readonly page: string; readonly name: string },
): Promise<WrittenReport> {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID()}.part`);
  try {
    await writeFile(temporary, page, { mode: 0o600, flag: "wx" });
    await rename(temporary, path);
    return { ok: true };
  } catch (error) {
    await rm(temporary, { force: true });
    return { ok: false, why: `${name}: ${writeProblem(error)}` };
  }
}

/** Why a file must not be replaced; undefined if there is none, or if it is a report. */
export async function replaceProblem(path: string, name: string): Promise<string | undefined> {
  const head = await readHead(path);
  if (head === undefined || head.includes(generatorMark)) return undefined;
  return `${name} exists and is no report of this command. Choose another name, or replace it with --force.`;
}

/** The beginning of a file; undefined if there is no such file, empty if it cannot be read as one. */
async function readHead(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, openFlags);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    return codeOf(error) === "ENOENT" ? undefined : "";
  }
}

function writeProblem(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOENT":
      return "its folder does not exist";
    case "EISDIR":
    case "EEXIST":
    case "ENOTEMPTY":
      return "it is a folder";
    case "ENOTDIR":
      return "a part of its path is a file";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "you may not write there";
    case "ENOSPC":
      return "the disk is full";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
