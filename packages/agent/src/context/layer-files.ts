import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import { isInside } from "../protocol/is-inside.ts";
import type { Source } from "./layers.ts";

/** The name of a file, or several names of which the first existing file is read. */
export type LayerFileName = string | readonly string[];

/** Workspace files that describe the agent. */
export const identityFiles: readonly string[] = ["IDENTITY.md", "SOUL.md"];
/** Workspace files that describe the project. CLAUDE.md is read where there is no AGENTS.md. */
export const narrativeFiles: readonly LayerFileName[] = [["AGENTS.md", "CLAUDE.md"], "TOOLS.md", "USER.md"];

export interface LayerFiles {
  readonly files: readonly Source[];
  /** One sentence for each file that exists and could not be read. */
  readonly problems: readonly string[];
}

export interface LayerFileOptions {
  /** Default: 16 KiB. */
  readonly maxFileBytes?: number;
  /** For all files together; default: 24 KiB. */
  readonly maxTotalBytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * Reads the files of one layer that exist, in the order of `names`. A long file is cut and says so. Links that lead out
 * of the workspace, devices and binary files are not read; secrets are redacted.
 */
export async function readLayerFiles(
  workspace: string,
  names: readonly LayerFileName[],
  { maxFileBytes = 16_384, maxTotalBytes = 24_576, signal }: LayerFileOptions = {},
): Promise<LayerFiles> {
  const files: Source[] = [];
  const problems: string[] = [];
  let bytesLeft = maxTotalBytes;
  for (const name of names) {
    if (signal?.aborted) break;
    const file = await readFirst(
      workspace,
      typeof name === "string" ? [name] : name,
      Math.min(maxFileBytes, bytesLeft),
    );
    if (file.type === "problem") problems.push(file.problem);
    if (file.type !== "text") continue;
    bytesLeft -= file.bytes;
    files.push({ name: file.name, text: file.text });
  }
  return { files, problems };
}

/** Reads the first of the files that exists. */
async function readFirst(workspace: string, names: readonly string[], maxBytes: number): Promise<LayerFile> {
  for (const name of names) {
    const file = await readLayerFile(workspace, name, maxBytes);
    if (file.type !== "missing") return file;
  }
  return { type: "missing" };
}

type LayerFile =
  | { readonly type: "missing" }
  | { readonly type: "problem"; readonly problem: string }
  | { readonly type: "text"; readonly name: string; readonly text: string; readonly bytes: number };

async function readLayerFile(workspace: string, name: string, maxBytes: number): Promise<LayerFile> {
  try {
    const root = await realpath(workspace);
    const path = await realpath(join(root, name));
    if (!isInside(root, path))
      return { type: "problem", problem: `${name} leads out of the workspace and was not read.` };
    if (maxBytes <= 0)
      return { type: "problem", problem: `${name} was not read: the files before it use up the allowed size.` };
    return await readText(path, name, maxBytes);
  } catch (error) {
    if (isMissing(error)) return { type: "missing" };
    const reason = error instanceof Error ? error.message : String(error);
    return { type: "problem", problem: `${name} could not be read: ${reason}` };
  }
}

async function readText(path: string, name: string, maxBytes: number): Promise<LayerFile> {
  // Neither a pipe without a writer nor a link created since the check can block this.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return { type: "problem", problem: `${name} is not a regular file and was not read.` };
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return toText(name, buffer.subarray(0, bytesRead), stat.size);
  } finally {
    await file.close();
  }
}

function toText(name: string, bytes: Buffer, size: number): LayerFile {
  if (bytes.includes(0)) return { type: "problem", problem: `${name} is not a text file and was not read.` };
  const isCut = size > bytes.length;
  // Drops a character that was cut in half; other invalid bytes become U+FFFD.
  const text = new TextDecoder().decode(bytes, { stream: isCut });
  const note = isCut ? `\n[${name} has ${size} bytes; only the first ${bytes.length} are shown]` : "";
  return { type: "text", name, text: redactSecrets(text) + note, bytes: bytes.length };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
