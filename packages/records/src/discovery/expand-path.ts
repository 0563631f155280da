import { readdir } from "node:fs/promises";
import { join, parse, sep } from "node:path";
import { describeReadFailure } from "../readers/read-failure.ts";
import { type SkippedItem, skip } from "../readers/read-item.ts";

/** The paths that a path with `*` stands for, sorted, and the folders that could not be searched. */
export interface ExpandedPath {
  readonly paths: readonly string[];
  readonly skipped: readonly SkippedItem[];
}

/** Expands each `*` of a path by the entries of folders. A missing folder has no entries. */
export async function expandPath(path: string): Promise<ExpandedPath> {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep);
  const skipped: SkippedItem[] = [];
  let paths: readonly string[] = [root];
  for (const name of names) {
    if (!name.includes("*")) {
      paths = paths.map((folder) => join(folder, name));
      continue;
    }
    const pattern = namePattern(name);
    const expanded: string[] = [];
    for (const folder of paths) {
      try {
        const entries = (await readdir(folder)).filter((entry) => pattern.test(entry)).sort();
        expanded.push(...entries.map((entry) => join(folder, entry)));
      } catch (error) {
        if (!isMissing(error)) skipped.push(skip(folder, 0, describeReadFailure(error).why));
      }
    }
    paths = expanded;
  }
  return { paths, skipped };
}

function namePattern(name: string): RegExp {
  const parts = name.split("*").map((part) => part.replace(/[.+^${}()|[\]\\?]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}
