import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type { SqliteDatabase } from "@sheepdog/records";
import { isDamage, isIntact, openCacheFile, removeCacheFile } from "./cache-file.ts";
import type { FileFacts } from "./file-facts.ts";

/** Remembers the facts of files that have not changed. No method throws: without a usable file nothing is known. */
export interface ScanCache {
  /** Whether the facts of this version of a file are known. */
  has(file: CachedFile): boolean;
  /** undefined if the file has to be read. */
  load(file: CachedFile): FileFacts | undefined;
  /** The same for the model requests alone, which takes little time. */
  loadRequests(file: CachedFile): FileRequests | undefined;
  save(file: CachedFile, facts: FileFacts): void;
  /** Writes what waits, forgets files that no longer exist, and closes the file. */
  close(): void;
}

type FileRequests = Pick<FileFacts, "requests" | "excerptRequests">;

/** A file with the state in which it was read. */
interface CachedFile {
  readonly file: string;
  readonly version: string;
}

/** Where facts are remembered, and of which analysis. */
export interface ScanCacheOptions {
  readonly path: string | undefined;
  /** Facts of another analysis are not reused. */
  readonly key: string;
  readonly now: number;
}

const noCache: ScanCache = {
  has: () => false,
  load: () => undefined,
  loadRequests: () => undefined,
  save: () => {},
  close: () => {},
};

/** Opens a cache. A damaged file is replaced; where there can be none, nothing is remembered. */
export async function openScanCache({ path, key, now }: ScanCacheOptions): Promise<ScanCache> {
  if (path === undefined) return noCache;
  for (const isLastTry of [false, true]) {
    try {
      return createScanCache(await openCacheFile(path), { path, key, now });
    } catch (error) {
      if (isLastTry || !isDamage(error) || !removeCacheFile(path)) return noCache;
    }
  }
  return noCache;
}

/** Facts of analyses that were not used for this time are removed. */
const UNUSED_MS = 7 * 86_400_000;
const FILES_PER_WRITE = 50;
/** Files that this look back did not see and whose existence is checked. */
const MAX_CHECKED = 2_000;

/** The part of the facts that is stored as JSON. */
type StoredFacts = Pick<FileFacts, "runs" | "skipped" | "moreSkipped">;

interface Row {
  readonly requests: Uint8Array;
  readonly excerpt_requests: Uint8Array;
  readonly copies: Uint8Array;
  readonly facts: string;
  readonly digest: string;
}

function createScanCache(
  database: SqliteDatabase,
  { path, key, now }: ScanCacheOptions & { readonly path: string },
): ScanCache {
  const rows = database.prepare("SELECT path, version FROM files WHERE key = ?").all(key);
  const known = new Map((rows as readonly CachedRow[]).map((row) => [row.path, row.version])); // its columns
  const select = database.prepare(
    "SELECT requests, excerpt_requests, copies, facts, digest FROM files WHERE key = ? AND path = ?",
  );
  const insert = database.prepare("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const use = database.prepare("INSERT OR REPLACE INTO analyses VALUES (?, ?)");
  const seen = new Set<string>();
  let waiting: (readonly [CachedFile, FileFacts])[] = [];
  let hasFailed = false;

  /** The work of a look back does not depend on its cache. */
  function attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch {
      hasFailed = true;
      return undefined;
    }
  }

  /** After a failure nothing more is written: the disk may be full, or another process keeps the file locked. */
  function attemptWrite(work: () => void): void {
    if (!hasFailed) attempt(work);
  }

  function transact(work: () => void): void {
    database.exec("BEGIN IMMEDIATE");
    try {
      work();
      database.exec("COMMIT");
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  }

  function write(): void {
    const files = waiting;
    waiting = [];
    if (files.length === 0) return;
    transact(() => {
      use.run(key, now); // at once, so that another process does not take these files for those of an unused analysis
      for (const [{ file, version }, { requests, excerptRequests, copies, ...facts }] of files) {
        const numbers = [requests, excerptRequests, copies].map(bytesOf);
        const text = JSON.stringify(facts satisfies StoredFacts);
        insert.run(key, file, version, ...numbers, text, digestOf([...numbers, text]));
      }
    });
  }

  function tidy(): void {
    const others = [...known.keys()].filter((file) => !seen.has(file)).slice(0, MAX_CHECKED);
    const vanished = others.filter((file) => !existsSync(file));
    transact(() => {
      const forget = database.prepare("DELETE FROM files WHERE path = ?");
      for (const file of vanished) forget.run(file);
      use.run(key, now);
      database.prepare("DELETE FROM analyses WHERE used_at < ?").run(now - UNUSED_MS);
      database.exec("DELETE FROM files WHERE key NOT IN (SELECT key FROM analyses)");
    });
  }

  /** A row that this program did not write so is none. */
  function rowOf({ file, version }: CachedFile): Row | undefined {
    seen.add(file);
    if (known.get(file) !== version) return undefined;
    const row = attempt(() => select.get(key, file)) as Row | undefined; // the query names these columns
    if (row === undefined) return undefined;
    const { requests, excerpt_requests, copies, facts, digest } = row;
    return digest === digestOf([requests, excerpt_requests, copies, facts]) ? row : undefined;
  }

  return {
    has: ({ file, version }) => known.get(file) === version,
    load(file) {
      const row = rowOf(file);
      return row === undefined ? undefined : attempt(() => factsOf(row));
    },
    loadRequests(file) {
      const row = rowOf(file);
      return row === undefined ? undefined : attempt(() => requestsOf(row));
    },
    save(file, facts) {
      seen.add(file.file);
      if (facts.isTemporary) return;
      waiting.push([file, facts]);
      if (waiting.length >= FILES_PER_WRITE) attemptWrite(write);
    },
    close() {
      attemptWrite(write);
      attemptWrite(tidy);
      const isDamaged = hasFailed && !isIntact(database);
      database.close();
      if (isDamaged) removeCacheFile(path);
    },
  };
}

interface CachedRow {
  readonly path: string;
  readonly version: string;
}

function factsOf(row: Row): FileFacts {
  const { runs, skipped, moreSkipped } = JSON.parse(row.facts) as StoredFacts; // this program wrote it
  return { runs, skipped, moreSkipped, ...requestsOf(row), copies: numbersOf(row.copies) };
}

function requestsOf({ requests, excerpt_requests }: Row): FileRequests {
  return { requests: numbersOf(requests), excerptRequests: numbersOf(excerpt_requests) };
}

function digestOf(parts: readonly unknown[]): string {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part instanceof Uint8Array ? part : String(part)).update("|");
  return sum.digest("hex");
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Digests as they are stored. */
export function numbersOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(Uint8Array.from(bytes).buffer); // a copy, since numbers must be aligned
}
