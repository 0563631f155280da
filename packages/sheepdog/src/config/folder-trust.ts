import { join } from "node:path";
import { identityFiles } from "@sheepdog/agent";
import type { Home } from "../home.ts";
import { projectFileName } from "./load-config.ts";
import { readConfigFile } from "./read-config-file.ts";
import { contentHash, readTrusted, trustedPath } from "./trust.ts";

/**
 * Whether the user has trusted the project file of a folder, and its files about the agent's identity, with exactly
 * their present content. An agent may write such a file, so trust in the project file alone is not enough.
 */
export async function isFolderTrusted(home: Home, folder: string): Promise<boolean> {
  const project = await fileHash(folder, projectFileName);
  if (project === undefined) return false;
  const trusted = await readTrusted(home);
  return [project, ...(await identityHashes(folder))].every(({ path, hash }) => trusted.get(path) === hash);
}

/** A file with the hash of its content. */
export interface HashedFile {
  readonly name: string;
  readonly path: string;
  /** Differs from every stored hash if the file cannot be read. */
  readonly hash: string;
}

/** The files of a folder about the agent's identity, as far as they exist. */
export async function identityHashes(folder: string): Promise<readonly HashedFile[]> {
  const files = await Promise.all(identityFiles.map((name) => fileHash(folder, name)));
  return files.filter((file) => file !== undefined);
}

async function fileHash(folder: string, name: string): Promise<HashedFile | undefined> {
  const file = join(folder, name);
  const read = await readConfigFile(file);
  if (!read.ok && read.isMissing) return undefined;
  return { name, path: await trustedPath(file), hash: read.ok ? contentHash(read.bytes) : "unreadable" };
}
