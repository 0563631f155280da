import { statSync } from "node:fs";
import type { Home } from "../../home.ts";
import { removeCacheFile } from "./cache-file.ts";

/** Removes the cache of look backs if no look back has used it since a time. The next one reads all recordings. */
export function removeUnusedCache({ lookBackCache: path }: Home, since: number): void {
  const times = ["", "-wal"].map((suffix) => statSync(path + suffix, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (Math.max(...times) < since) removeCacheFile(path);
}
