import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claimLease, makeTestFolder, sampleRun, saveRuns, start, type TestFolder } from "../../../test/sample-runs.ts";
import type { Stores } from "../stores.ts";
import { openOrRebuild } from "./open-or-rebuild.ts";
import { sqliteStores } from "./sqlite-stores.ts";

const at = start + 86_400_000;
const first = sampleRun("ses_a", "run_1", { turns: 2 });

let folder: TestFolder;
let opened: Stores[];
beforeEach(() => {
  folder = makeTestFolder();
  opened = [];
});
afterEach(async () => {
  for (const stores of opened) await stores.close();
  folder.remove();
});

async function open(withLogs = false) {
  const result = await openOrRebuild({
    path: folder.path,
    now: () => at,
    ...(withLogs ? { logDir: folder.logDir } : {}),
  });
  opened.push(result.stores);
  return result;
}

/** Creates a database and its log as a killed process leaves them. */
async function createCrashedDatabase(): Promise<void> {
  const stores = await sqliteStores({ path: folder.path });
  await saveRuns(stores, "ses_a", [first]);
  for (const suffix of ["", "-wal", "-shm"]) copyFileSync(folder.path + suffix, `${folder.path}.copy${suffix}`);
  await stores.close();
  for (const suffix of ["", "-wal", "-shm"]) {
    rmSync(folder.path + suffix, { force: true });
    copyFileSync(`${folder.path}.copy${suffix}`, folder.path + suffix);
    rmSync(`${folder.path}.copy${suffix}`);
  }
}

const readableByOthers = () =>
  readdirSync(folder.dir).filter((name) => (statSync(`${folder.dir}/${name}`).mode & 0o077) !== 0);

test("files that other users could read become private before they are used", async () => {
  await createCrashedDatabase();
  for (const suffix of ["", "-wal", "-shm"]) chmodSync(folder.path + suffix, 0o644);
  const { stores, rebuilt } = await open();
  await claimLease(stores, "ses_b", at);
  expect([rebuilt, readableByOthers(), existsSync(`${folder.path}-wal`)]).toEqual([undefined, [], true]);
});

test("a damaged database that other users could read becomes private, with every file made from it", async () => {
  await createCrashedDatabase();
  const wal = readFileSync(`${folder.path}-wal`);
  writeFileSync(`${folder.path}-wal`, wal.fill(0xee, 32, 32 + 2_000));
  for (const suffix of ["", "-wal", "-shm"]) chmodSync(folder.path + suffix, 0o644);
  const umask = process.umask(0o022);
  const { rebuilt } = await open().finally(() => process.umask(umask));
  expect([rebuilt !== undefined, readableByOthers()]).toEqual([true, []]);
});

test("a symbolic link is refused, even when its target is damaged", async () => {
  writeFileSync(`${folder.dir}/real.db`, "damaged");
  symlinkSync(`${folder.dir}/real.db`, folder.path);
  await expect(open()).rejects.toThrow(`${folder.path} cannot be used: it is a symbolic link`);
  expect(readFileSync(`${folder.dir}/real.db`, "utf8")).toBe("damaged");
});

test("a log folder that cannot be read is reported, and the database is created", async () => {
  writeFileSync(folder.logDir, "a file");
  const { stores, rebuilt } = await open(true);
  expect(rebuilt?.lost).toEqual([expect.stringContaining(`the logs at ${folder.logDir}: ENOTDIR`)]);
  expect(await stores.sessions.list()).toEqual([]);
});
