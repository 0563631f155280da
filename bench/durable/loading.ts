import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ratioOf } from "../measure/rounds.ts";
import { type Row, row } from "../measure/row.ts";
import { startWorker } from "../measure/worker.ts";
import { databaseName } from "./contestant.ts";
import { oursName } from "./contestants/index.ts";
import { createFolder, removeFolder } from "./folder.ts";
import type { Load, LoadTask } from "./loading-child.ts";
import { middleTurns } from "./rounds.ts";

const rounds = 15;

/** The rows, and every load through the store. */
export interface MeasuredLoading {
  readonly rows: readonly Row[];
  readonly loads: readonly Load[];
}

/** Loads a session through the store, and by hand with SELECT and JSON.parse; each load has a process of its own. */
export async function measureLoading(): Promise<MeasuredLoading> {
  const folder = createFolder();
  try {
    await writeSession(folder);
    const byStore: Load[] = [];
    const byHand: Load[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const measureStore = async () => byStore.push(await loadFresh("by store", folder));
      const measureHand = async () => byHand.push(await loadFresh("by hand", folder));
      for (const measure of round % 2 === 0 ? [measureStore, measureHand] : [measureHand, measureStore])
        await measure();
    }
    checkEqual([...byStore, ...byHand]);
    return { rows: loadingRows(byStore, byHand), loads: byStore };
  } finally {
    removeFolder(folder);
  }
}

function loadingRows(byStore: readonly Load[], byHand: readonly Load[]): readonly Row[] {
  const ratio = (value: (load: Load) => number) => ratioOf(byStore.map(value), byHand.map(value));
  const session = `loading a session of ${middleTurns} turns`;
  const to = "SELECT and JSON.parse";
  const cpu = ratio(({ loadCpuMicros }) => loadCpuMicros);
  const clock = ratio(({ loadClockMicros }) => loadClockMicros);
  const withOpening = ratio(({ openClockMicros, loadClockMicros }) => openClockMicros + loadClockMicros);
  return [
    row(`${session}, CPU`, to, cpu, 2),
    row(`${session}, clock`, to, clock),
    row(`${session} and opening the database, clock`, `${to}, and opening`, withOpening),
  ];
}

async function writeSession(folder: string): Promise<void> {
  const script = fileURLToPath(new URL("once.ts", import.meta.url));
  const child = fork(script, [oursName, String(middleTurns), "read", folder], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`Expected a complete conversation; its process exited with ${code}.`);
}

async function loadFresh(how: "by store" | "by hand", folder: string): Promise<Load> {
  const worker = await startWorker<LoadTask, Load>(how, new URL("loading-child.ts", import.meta.url));
  try {
    return await worker.run({ path: join(folder, databaseName) });
  } finally {
    worker.stop();
  }
}

function checkEqual(loads: readonly Load[]): void {
  const counts = new Set(loads.map(({ messages }) => messages));
  if (counts.size !== 1 || counts.has(0))
    throw new Error(`Expected the same messages in every load; got ${[...counts].join(", ")}.`);
}
