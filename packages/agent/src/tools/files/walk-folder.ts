import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A file or folder below the walked folder. */
export interface FolderEntry {
  readonly path: string;
  /** Its path relative to the walked folder. */
  readonly components: readonly string[];
  readonly kind: "file" | "folder" | "other";
}

export interface WalkOptions {
  /** Names of folders that are listed but not entered. */
  readonly skip: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly maxEntries: number;
  /** Called once when there are more than `maxEntries`. */
  readonly onLimit: () => void;
}

interface PendingFolder {
  readonly path: string;
  readonly components: readonly string[];
}

const generatedFolders = ["node_modules", ".git", ".hg", ".svn"];
const maxDepth = 64;

/** The folders to skip: dependencies and version control, except those that a pattern or path names. */
export function foldersToSkip(...patterns: readonly string[]): ReadonlySet<string> {
  const named = new Set(patterns.flatMap((pattern) => pattern.split("/")));
  return new Set(generatedFolders.filter((name) => !named.has(name)));
}

/** Lists everything below a folder, sorted by name. Does not follow links; skips folders that cannot be read. */
export async function* walkFolder(root: string, options: WalkOptions): AsyncGenerator<FolderEntry> {
  let entriesLeft = options.maxEntries;
  const pending: PendingFolder[] = [{ path: root, components: [] }];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    options.signal.throwIfAborted();
    const children = await readdir(folder.path, { withFileTypes: true }).catch(() => []); // unreadable, or removed
    const subfolders: PendingFolder[] = [];
    for (const child of children.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entriesLeft-- <= 0) return options.onLimit();
      const entry = { path: join(folder.path, child.name), components: [...folder.components, child.name] };
      yield { ...entry, kind: child.isFile() ? "file" : child.isDirectory() ? "folder" : "other" };
      if (child.isDirectory() && !options.skip.has(child.name) && entry.components.length < maxDepth)
        subfolders.push(entry);
    }
    pending.push(...subfolders.reverse());
  }
}
