import { type FSWatcher, watch } from "node:fs";
import { lstat, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Run } from "@sheepdog/agent";
import type { Home } from "../home.ts";
import { applyMessage } from "./apply-message.ts";
import { type ControlMessage, parseMessage } from "./control-message.ts";
import { answerTo, inHand, makeMessagesFolder, orderName } from "./messages-folder.ts";

/** The system does not always tell of new files. */
const lookEveryMs = 1_000;
/** What is older was meant for a process that is gone. */
const validMs = 60_000;
const largestBytes = 100_000;

/**
 * Listens for orders to a run and carries them out, the oldest first, until it ends or the result is called. A run whose home cannot be written to hears
 * none. `onProblem` is told of files that hold no order; they are moved aside.
 */
export function receiveMessages(
  home: Home,
  run: Run,
  onOrder?: (order: ControlMessage) => void,
  onProblem?: (sentence: string) => void,
): () => void {
  const folder = folderOf(home, run, onProblem);
  if (folder === undefined) return () => {};
  let isOver = false;
  let looking: Promise<void> | undefined;
  let isAsked = false;

  const look = () => {
    isAsked = true;
    looking ??= lookAll().finally(() => {
      looking = undefined;
    });
  };
  const lookAll = async () => {
    while (isAsked && !isOver) {
      isAsked = false;
      for (const name of await namesIn(folder)) {
        if (isOver) return;
        const path = join(folder, name);
        const order = await orderIn(path, onProblem);
        if (order === undefined || !(await take(path))) continue;
        const carried = applyMessage(run, order);
        if (carried.type === "over") return; // the folder goes, and so the sender knows
        if (carried.type === "done") onOrder?.(carried.order);
        await writeFile(answerTo(path), JSON.stringify(carried), { mode: 0o600 }).catch(() => {}); // the sender will say less
        await rm(inHand(path), { force: true });
      }
    }
  };
  const watcher = watchFolder(folder, look);
  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  look();

  const end = () => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    watcher?.close();
    void Promise.resolve(looking).then(() => rm(folder, { recursive: true, force: true }).catch(() => {})); // what is left of it does no harm
  };
  run.result.then(end, end);
  return end;
}

function folderOf(home: Home, { runId }: Run, onProblem?: (sentence: string) => void): string | undefined {
  try {
    return makeMessagesFolder(home, runId);
  } catch (error) {
    onProblem?.(`Orders from other processes are not heard: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => orderName.test(name)).sort();
  } catch {
    return []; // somebody has removed it
  }
}

/** What a file says; undefined where it says nothing any more, or never did. */
async function orderIn(path: string, onProblem?: (sentence: string) => void): Promise<ControlMessage | undefined> {
  try {
    const found = await lstat(path);
    if (Date.now() - found.mtimeMs > validMs) {
      await rm(path, { force: true, recursive: true });
      return undefined;
    }
    const isOurs = found.isFile() && found.size <= largestBytes && found.uid === (process.getuid?.() ?? found.uid);
    const order = isOurs ? parseMessage(await readFile(path, "utf8")) : undefined;
    if (order !== undefined) return order;
    await rename(path, `${path}.bad`);
    onProblem?.(`What lies in ${path}.bad is no order; it was moved aside.`);
  } catch {
    // its sender has taken it back
  }
  return undefined;
}

/** Each order is carried out once: false where its sender has taken it back. */
async function take(path: string): Promise<boolean> {
  try {
    await rename(path, inHand(path));
    return true;
  } catch {
    return false;
  }
}

function watchFolder(folder: string, look: () => void): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false }, look).on("error", () => {}); // it is looked at every second as well
  } catch {
    return undefined; // the system has no more watches to give
  }
}
