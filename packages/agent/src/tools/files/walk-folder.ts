import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A file or folder below the one that was walked. */
export interface FolderEntry {
  readonly path: string;
  /** Its way from the folder that was walked. */
  readonly components: readonly string[];
  readonly kind: "file" | "folder" | "other";
}

export interface WalkOptions {
  /** Names of folders that are not entered. */
  readonly skip: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Called once where there was more than `maxEntries`. */
  readonly onLimit: () => void;
  readonly maxEntries: number;
}

/** Folders that hold what others made. */
export const skippedFolders: ReadonlySet<string> = new Set(["node_modules", ".git", ".hg", ".svn"]);

const mostDepth = 64;

/** Everything below a folder, in the order of names; links are told but not followed, folders that cannot be read are passed over. */
export async function* walkFolder(folder: string, options: WalkOptions): AsyncGenerator<FolderEntry> {
  let left = options.maxEntries;
  const ahead: { readonly path: string; readonly components: readonly string[] }[] = [{ path: folder, components: [] }];
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    options.signal.throwIfAborted();
    const found = await readdir(at.path, { withFileTypes: true }).catch(() => []); // no permission, or gone meanwhile
    const folders: typeof ahead = [];
    for (const each of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (left-- <= 0) return options.onLimit();
      const entry = { path: join(at.path, each.name), components: [...at.components, each.name] };
      yield { ...entry, kind: each.isFile() ? "file" : each.isDirectory() ? "folder" : "other" };
      if (each.isDirectory() && !options.skip.has(each.name) && entry.components.length < mostDepth)
        folders.push(entry);
    }
    ahead.push(...folders.reverse());
  }
}
