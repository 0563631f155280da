import type { BigIntStats } from "node:fs";

/** The version of each file that a session has read, so that an edit does not overwrite changes made since. */
export interface ReadRegistry {
  recordVersion(sessionId: string, path: string, version: string): void;
  versionRead(sessionId: string, path: string): string | undefined;
}

const maxFiles = 2_000;

/** Creates a registry in memory; it holds the files read most recently. */
export function createReadRegistry(): ReadRegistry {
  const versions = new Map<string, string>();
  const key = (sessionId: string, path: string) => `${sessionId}\0${path}`;
  return {
    recordVersion(sessionId, path, version) {
      versions.delete(key(sessionId, path));
      versions.set(key(sessionId, path), version);
      const [oldest] = versions.keys();
      if (versions.size > maxFiles && oldest !== undefined) versions.delete(oldest);
    },
    versionRead: (sessionId, path) => versions.get(key(sessionId, path)),
  };
}

/** Identifies the version of a file: it changes when the file is written or replaced. */
export function versionOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}
