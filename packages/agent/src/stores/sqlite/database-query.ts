import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { openDatabase, type SqliteDatabase, type SqliteValue } from "@sheepdog/records";

/** An SQL query of which only the first row is needed. */
export interface Query {
  readonly sql: string;
  readonly values?: readonly SqliteValue[];
}

/** The first row of each query; undefined for an empty result. After an error the remaining queries are not run. */
export interface QueryResults {
  readonly rows: readonly unknown[];
  readonly error?: unknown;
}

/** Above this size a full scan takes noticeably long. */
const largeBytes = 32 * 1_024 * 1_024;

/** Runs queries that may read the whole database: in a worker thread when it is large, otherwise on `connection`. */
export async function queryDatabase(
  path: string,
  queries: readonly Query[],
  connection?: SqliteDatabase,
): Promise<QueryResults> {
  const results = statSync(path).size > largeBytes ? await queryInWorker(path, queries) : undefined;
  if (results !== undefined) return results;
  return connection === undefined ? queryHere(path, queries) : { rows: firstRows(connection, queries) };
}

/** Runs queries on a read-only connection of their own. */
export async function queryHere(path: string, queries: readonly Query[]): Promise<QueryResults> {
  const rows: unknown[] = [];
  try {
    const database = await openDatabase(path, { isReadOnly: true });
    try {
      return { rows: firstRows(database, queries, rows) };
    } finally {
      database.close();
    }
  } catch (error) {
    return { rows, error };
  }
}

function firstRows(database: SqliteDatabase, queries: readonly Query[], rows: unknown[] = []): readonly unknown[] {
  for (const { sql, values = [] } of queries) rows.push(database.prepare(sql).get(...values));
  return rows;
}

/** Runs queries in a worker thread, so that they do not block the event loop. Undefined when no worker can start. */
export async function queryInWorker(
  path: string,
  queries: readonly Query[],
  module: string | undefined = recordsModule(),
): Promise<QueryResults | undefined> {
  if (module === undefined) return undefined;
  try {
    const worker = new Worker(workerProgram, {
      eval: true,
      workerData: { module, path, queries },
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    return await new Promise((resolve) => {
      worker.once("message", ({ rows, problem }: WorkerMessage) =>
        resolve(problem === undefined ? { rows } : { rows, error: errorOf(problem) }),
      );
      worker.once("error", () => resolve(undefined)); // it could not start
      worker.once("exit", () => resolve(undefined)); // no effect after its message
    });
  } catch {
    return undefined; // worker threads are forbidden
  }
}

/** A message from the worker. An Error object would lose its `errcode` on the way. */
interface WorkerMessage extends Pick<QueryResults, "rows"> {
  readonly problem?: { readonly message: string; readonly errcode?: number };
}

function errorOf({ message, errcode }: NonNullable<WorkerMessage["problem"]>): Error {
  return Object.assign(new Error(message), errcode === undefined ? {} : { errcode });
}

/** Source text, so that it works in every bundle. It opens the database through the same module as this process. */
const workerProgram = `
const { parentPort, workerData } = require("node:worker_threads");
import(workerData.module).then(async ({ openDatabase }) => {
  const rows = [];
  try {
    const database = await openDatabase(workerData.path, { isReadOnly: true });
    try {
      for (const { sql, values = [] } of workerData.queries) {
        const row = database.prepare(sql).get(...values);
        rows.push(row && { ...row });
      }
    } finally {
      database.close();
    }
    parentPort.postMessage({ rows });
  } catch (error) {
    parentPort.postMessage({ rows, problem: { message: error.message, errcode: error.errcode } });
  }
});
`;

function recordsModule(): string | undefined {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve("@sheepdog/records")).href;
  } catch {
    return undefined; // the package is part of a bundle
  }
}
