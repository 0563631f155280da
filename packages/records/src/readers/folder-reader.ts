import { readdir } from "node:fs/promises";
import { folderReaders } from "./known-readers.ts";
import type { FolderReader } from "./reader.ts";

/** The reader of a folder that is itself a recording; undefined for any other folder. */
export async function findFolderReader(folder: string, names?: readonly string[]): Promise<FolderReader | undefined> {
  const present = new Set(names ?? (await readdir(folder)));
  for (const reader of folderReaders) if (await reader.recognizes(present, folder)) return reader;
  return undefined;
}
