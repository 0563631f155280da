import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { openDatabase, type SqliteDatabase, type SqliteValue } from "@sheepdog/records";

/** A question in SQL, of whose answer the first row is wanted. */
export interface Query {
  readonly sql: string;
  readonly values?: readonly SqliteValue[];
}

/** The first row of each answer, undefined where there is none; fewer than were asked for where one failed, and how. */
export interface QueryResults {
  readonly rows: readonly unknown[];
  readonly error?: unknown;
}

/** From this size on it takes long enough to be noticed. */
const largeBytes = 32 * 1_024 * 1_024;

/** Asks a database things for which all of it may have to be read: a large one in a thread of its own. `opened` is used for a small one where it is given. */
export async function queryDatabase(
  path: string,
  questions: readonly Query[],
  opened?: SqliteDatabase,
): Promise<QueryResults> {
  const answers = statSync(path).size > largeBytes ? await queryInWorker(path, questions) : undefined;
  if (answers !== undefined) return answers;
  return opened === undefined ? queryHere(path, questions) : { rows: firstRows(opened, questions) };
}

/** Asks a database that is opened for it, and only read. */
export async function queryHere(path: string, questions: readonly Query[]): Promise<QueryResults> {
  const rows: unknown[] = [];
  try {
    const database = await openDatabase(path, { isReadOnly: true });
    try {
      return { rows: firstRows(database, questions, rows) };
    } finally {
      database.close();
    }
  } catch (error) {
    return { rows, error };
  }
}

function firstRows(database: SqliteDatabase, questions: readonly Query[], rows: unknown[] = []): readonly unknown[] {
  for (const { sql, values = [] } of questions) rows.push(database.prepare(sql).get(...values));
  return rows;
}

/** The same in a thread of its own: questions that take long stall nobody. Undefined where such a thread cannot be had. */
export async function queryInWorker(
  path: string,
  questions: readonly Query[],
  module: string | undefined = findModule(),
): Promise<QueryResults | undefined> {
  if (module === undefined) return undefined;
  try {
    const worker = new Worker(program, {
      eval: true,
      workerData: { module, path, questions },
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    return await new Promise((resolve) => {
      worker.once("message", ({ rows, problem }: Told) =>
        resolve(problem === undefined ? { rows } : { rows, error: errorOf(problem) }),
      );
      worker.once("error", () => resolve(undefined)); // it could not even begin
      worker.once("exit", () => resolve(undefined)); // after its message, this changes nothing
    });
  } catch {
    return undefined; // threads are forbidden
  }
}

/** What the thread says; an error would lose its number on the way. */
interface Told extends Pick<QueryResults, "rows"> {
  readonly problem?: { readonly message: string; readonly errcode?: number };
}

function errorOf({ message, errcode }: NonNullable<Told["problem"]>): Error {
  return Object.assign(new Error(message), errcode === undefined ? {} : { errcode });
}

/** What the thread does, in text: so it is there whatever the package was bundled into. It opens the database as this process does, by way of the same module. */
const program = `
const { parentPort, workerData } = require("node:worker_threads");
import(workerData.module).then(async ({ openDatabase }) => {
  const rows = [];
  try {
    const database = await openDatabase(workerData.path, { isReadOnly: true });
    try {
      for (const { sql, values = [] } of workerData.questions) {
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

function findModule(): string | undefined {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve("@sheepdog/records")).href;
  } catch {
    return undefined; // it is part of a bundle
  }
}
