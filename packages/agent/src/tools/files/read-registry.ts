import type { BigIntStats } from "node:fs";

/** Which version of which file a session has seen, so that an edit does not overwrite what somebody else wrote meanwhile. */
export interface ReadRegistry {
  recordVersion(sessionId: string, path: string, version: string): void;
  versionRead(sessionId: string, path: string): string | undefined;
}

const mostFiles = 2_000;

/** Remembers the files seen last, in memory. */
export function createReadRegistry(): ReadRegistry {
  const versions = new Map<string, string>();
  const key = (sessionId: string, path: string) => `${sessionId}\0${path}`;
  return {
    recordVersion(sessionId, path, version) {
      versions.delete(key(sessionId, path));
      versions.set(key(sessionId, path), version);
      const [oldest] = versions.keys();
      if (versions.size > mostFiles && oldest !== undefined) versions.delete(oldest);
    },
    versionRead: (sessionId, path) => versions.get(key(sessionId, path)),
  };
}

/** What changes when a file is written or replaced. */
export function versionOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}
