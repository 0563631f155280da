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
import { claimLease, makeTestFolder, sampleRun, saveRuns, start, writeRunLog } from "../../../test/sample-runs.ts";
import type { Stores } from "../stores.ts";
import { openOrRebuild } from "./open-or-rebuild.ts";
import { sqliteStores } from "./sqlite-stores.ts";

const at = start + 86_400_000;
const first = sampleRun("ses_a", "run_1", { turns: 2 });

let place: ReturnType<typeof makeTestFolder>;
let opened: Stores[];
beforeEach(() => {
  place = makeTestFolder();
  opened = [];
});
afterEach(async () => {
  for (const stores of opened) await stores.close();
  place.remove();
});

async function open(withLogs = false) {
  const found = await openOrRebuild({ path: place.path, now: () => at, ...(withLogs ? { logDir: place.logDir } : {}) });
  opened.push(found.stores);
  return found;
}

/** A database with its log, as a killed process leaves it. */
async function crash(): Promise<void> {
  const stores = await sqliteStores({ path: place.path });
  await saveRuns(stores, "ses_a", [first]);
  for (const end of ["", "-wal", "-shm"]) copyFileSync(place.path + end, `${place.path}.copy${end}`);
  await stores.close();
  for (const end of ["", "-wal", "-shm"]) {
    rmSync(place.path + end, { force: true });
    copyFileSync(`${place.path}.copy${end}`, place.path + end);
    rmSync(`${place.path}.copy${end}`);
  }
}

const openToAll = () => readdirSync(place.dir).filter((name) => (statSync(`${place.dir}/${name}`).mode & 0o077) !== 0);

test("files that others could read are closed to them before they are used", async () => {
  await crash();
  for (const end of ["", "-wal", "-shm"]) chmodSync(place.path + end, 0o644);
  const { stores, rebuilt } = await open();
  await claimLease(stores, "ses_b", at);
  expect([rebuilt, openToAll(), existsSync(`${place.path}-wal`)]).toEqual([undefined, [], true]);
});

test("a damaged database that others could read is closed to them with all that is made of it", async () => {
  await crash();
  const wal = readFileSync(`${place.path}-wal`);
  writeFileSync(`${place.path}-wal`, wal.fill(0xee, 32, 32 + 2_000));
  for (const end of ["", "-wal", "-shm"]) chmodSync(place.path + end, 0o644);
  const umask = process.umask(0o022);
  const { rebuilt } = await open().finally(() => process.umask(umask));
  expect([rebuilt !== undefined, openToAll()]).toEqual([true, []]);
});

test("a symbolic link is refused, whatever it leads to", async () => {
  writeFileSync(`${place.dir}/real.db`, "damaged");
  symlinkSync(`${place.dir}/real.db`, place.path);
  await expect(open()).rejects.toThrow(`${place.path} cannot be used: it is a symbolic link`);
  expect(readFileSync(`${place.dir}/real.db`, "utf8")).toBe("damaged");
});

test("a run that the database knows without its end, since its log was removed, has it from its run log, and that is told", async () => {
  const stores = await sqliteStores({ path: place.path });
  const lease = await claimLease(stores, "ses_a", start);
  for (const commit of first.commits.slice(0, 2)) await stores.sessions.commit(lease, commit);
  await stores.sessions.release(lease);
  await stores.close();
  writeRunLog(place.logDir, first);
  const { stores: mine, restored } = await open(true);
  expect(restored).toMatchObject({ runs: 1, lost: [] });
  expect((await mine.sessions.load("ses_a")).runs).toEqual([first.run]);
  expect((await mine.costs.totals("ses_a", start)).month).toBe(8_000_000);
});

test("a folder of logs that is none is told, and the database is opened", async () => {
  writeFileSync(place.logDir, "a file");
  const { restored } = await open(true);
  expect(restored?.lost).toEqual([expect.stringContaining(`the logs at ${place.logDir}: ENOTDIR`)]);
});
