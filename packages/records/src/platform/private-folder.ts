import { rmSync } from "node:fs";
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "sheepdog-read-";
/** An older folder belongs to a process that was killed. */
const MAX_AGE_MS = 60 * 60 * 1000;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A temporary folder that only this user can read. */
export interface PrivateFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates a folder that is removed at the latest when the process ends or is interrupted; removes forgotten ones. */
export async function createPrivateFolder(now: number = Date.now()): Promise<PrivateFolder> {
  await removeForgotten(now);
  const path = await mkdtemp(join(tmpdir(), PREFIX));
  const removeNow = () => rmSync(path, { recursive: true, force: true });
  const onSignal = (signal: NodeJS.Signals) => {
    removeNow();
    stopListening();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal); // ends the process as it would have
  };
  const stopListening = () => {
    process.off("exit", removeNow);
    for (const signal of signals) process.off(signal, onSignal);
  };
  process.on("exit", removeNow);
  for (const signal of signals) process.on(signal, onSignal);
  const remove = async () => {
    await rm(path, { recursive: true, force: true });
    stopListening();
  };
  return { path, remove };
}

async function removeForgotten(now: number): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []); // then creating a folder says why
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const path = join(tmpdir(), name);
    const info = await lstat(path).catch(() => undefined); // another process removed it
    const isOwn = info?.isDirectory() === true && info.uid === (process.getuid?.() ?? info.uid);
    // A folder that another process still has open on Windows cannot be removed.
    if (isOwn && now - info.mtimeMs > MAX_AGE_MS) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
