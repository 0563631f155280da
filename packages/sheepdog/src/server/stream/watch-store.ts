import { watch } from "node:fs";
import { basename } from "node:path";
import type { Home } from "../../home.ts";

/**
 * Calls back when a file of the database changes: every commit is written to its log. The stream also polls, since some
 * file systems do not report changes. Returns a function that ends it.
 */
export function watchStore({ dir, database }: Home, onChange: () => void): () => void {
  const name = basename(database);
  try {
    const watcher = watch(dir, { persistent: false }, (_, file) => {
      if (file === null || file.startsWith(name)) onChange();
    });
    watcher.on("error", () => {}); // polling continues
    return () => watcher.close();
  } catch {
    return () => {}; // the system has no more watches
  }
}
