import { type Dirent, promises } from "node:fs";
import { join } from "node:path";

/** The state of a file, or of a folder that is one recording. */
export interface FileVersion {
  /** Changes whenever the content may have changed. */
  readonly version: string;
  /** Tells whether two paths lead to the same file. */
  readonly identity: string;
  readonly bytes: number;
  readonly changedAt: number;
  /** In nanoseconds. */
  readonly createdAt: bigint;
}

/** Returns the state of a file; undefined if it cannot be seen. */
export async function fileVersion(path: string): Promise<FileVersion | undefined> {
  const info = await statOf(path);
  if (info === undefined) return undefined;
  const { dev, ino, birthtimeNs: createdAt } = info;
  const parts = info.isDirectory() ? await statsBelow(path) : [info, ...(await writeAheadLog(path))];
  const bytes = parts.reduce((sum, { size }) => sum + Number(size), 0);
  const changedNs = parts.reduce((latest, { mtimeNs }) => (mtimeNs > latest ? mtimeNs : latest), info.mtimeNs);
  // The times of the content can be set back, and permissions leave them alone.
  const stateChangedNs = parts.reduce((latest, { ctimeNs }) => (ctimeNs > latest ? ctimeNs : latest), info.ctimeNs);
  return {
    version: [ino, parts.length, bytes, changedNs, stateChangedNs].join(" "),
    identity: `${dev} ${ino}`,
    bytes,
    changedAt: Number(changedNs / 1_000_000n),
    createdAt,
  };
}

type Stats = Awaited<ReturnType<typeof bigStat>>;

function bigStat(path: string) {
  return promises.stat(path, { bigint: true });
}

function statOf(path: string): Promise<Stats | undefined> {
  return bigStat(path).catch(() => undefined);
}

/** The newest content of a SQLite database may be in its write-ahead log. */
async function writeAheadLog(path: string): Promise<readonly Stats[]> {
  if (/\.(?:jsonl?|ndjson|gz|zst)$/i.test(path)) return [];
  const log = await statOf(`${path}-wal`);
  return log === undefined ? [] : [log];
}

async function statsBelow(folder: string): Promise<readonly Stats[]> {
  const entries: readonly Dirent[] = await promises.readdir(folder, { withFileTypes: true }).catch(() => []);
  const stats: Stats[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) stats.push(...(await statsBelow(path)));
    else stats.push(...[await statOf(path)].filter((info) => info !== undefined));
  }
  return stats;
}
