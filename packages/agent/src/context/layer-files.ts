import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { redactSecrets } from "@sheepdog/guardian";
import type { Source } from "./layers.ts";

/** The files of a workspace that say who the agent is, and what there is to know of the project. */
export const identityFiles: readonly string[] = ["IDENTITY.md", "SOUL.md"];
export const narrativeFiles: readonly string[] = ["AGENTS.md", "TOOLS.md", "USER.md"];

export interface LayerFiles {
  readonly files: readonly Source[];
  /** One sentence for each file that is there and could not be read. */
  readonly problems: readonly string[];
}

/** What a system text can bear: a file, and all files of one layer together. */
const defaultCaps = { maxFileBytes: 16_384, maxTotalBytes: 24_576 };

/**
 * Reads the files of one layer that exist, in the order of `names`; what is too long is cut and says so. Links that lead out of the workspace, devices and
 * binaries are not read; secrets are masked.
 */
export async function readLayerFiles(
  workspace: string,
  names: readonly string[],
  {
    maxFileBytes,
    maxTotalBytes,
    signal,
  }: { readonly maxFileBytes?: number; readonly maxTotalBytes?: number; readonly signal?: AbortSignal } = {},
): Promise<LayerFiles> {
  const files: Source[] = [];
  const problems: string[] = [];
  let left = maxTotalBytes ?? defaultCaps.maxTotalBytes;
  for (const name of names) {
    if (signal?.aborted) break;
    const read = await readLayerFile(workspace, name, Math.min(maxFileBytes ?? defaultCaps.maxFileBytes, left));
    if (read.type === "problem") problems.push(read.problem);
    if (read.type !== "text") continue;
    left -= read.bytes;
    files.push({ name, text: read.text });
  }
  return { files, problems };
}

type ReadFile =
  | { readonly type: "missing" }
  | { readonly type: "problem"; readonly problem: string }
  | { readonly type: "text"; readonly text: string; readonly bytes: number };

async function readLayerFile(workspace: string, name: string, maxBytes: number): Promise<ReadFile> {
  try {
    const root = await realpath(workspace);
    const path = await realpath(join(root, name));
    if (!isInside(root, path))
      return { type: "problem", problem: `${name} leads out of the workspace and was not read.` };
    if (maxBytes <= 0)
      return { type: "problem", problem: `${name} was not read: the files before it fill the room there is.` };
    // Neither a pipe that nobody writes to nor a link put there since can hold this up.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const { size, isFile } = await file.stat().then((stat) => ({ size: stat.size, isFile: stat.isFile() }));
      if (!isFile) return { type: "problem", problem: `${name} is no plain file and was not read.` };
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
      return asText(name, buffer.subarray(0, bytesRead), size);
    } finally {
      await file.close();
    }
  } catch (error) {
    return isMissing(error)
      ? { type: "missing" }
      : {
          type: "problem",
          problem: `${name} could not be read: ${error instanceof Error ? error.message : String(error)}`,
        };
  }
}

function asText(name: string, bytes: Buffer, size: number): ReadFile {
  if (bytes.includes(0)) return { type: "problem", problem: `${name} is no text and was not read.` };
  const isCut = size > bytes.length;
  // A character that the cut went through is left out; bytes that are no UTF-8 elsewhere become U+FFFD.
  const text = new TextDecoder().decode(bytes, { stream: isCut });
  const note = isCut ? `\n[${name} has ${size} bytes; only the first ${bytes.length} are shown]` : "";
  return { type: "text", text: redactSecrets(text) + note, bytes: bytes.length };
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
