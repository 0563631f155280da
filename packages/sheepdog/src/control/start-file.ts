import { readFile, writeFile } from "node:fs/promises";

/** Writes that a run has started, for the process that waits for it. A process that waits no more is no failure. */
export async function writeStartFile(path: string, runId: string): Promise<void> {
  await writeFile(path, `${runId}\n`, { mode: 0o600 }).catch(() => {});
}

/** The id of the run that has started; undefined if none has yet. */
export async function readStartFile(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.endsWith("\n") ? text.trim() : undefined; // else it is being written
}
