import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Holder, isGone, thisProcess } from "@sheepdog/agent";

const ownerFile = "owner.json";

/** Writes to the message folder of a run that this process reads it. The file appears complete or not at all. */
export function writeOwner(folder: string): void {
  const draft = join(folder, `.${ownerFile}`);
  try {
    writeFileSync(draft, JSON.stringify(thisProcess()), { mode: 0o600 });
    renameSync(draft, join(folder, ownerFile));
  } catch {
    // the folder still receives messages
  }
}

/** Whether the process that reads a message folder is running. A process that was killed leaves its folder behind. */
export function isOwnerRunning(folder: string): boolean {
  try {
    const owner: unknown = JSON.parse(readFileSync(join(folder, ownerFile), "utf8"));
    return isHolder(owner) && !isGone(owner);
  } catch {
    return false; // there is no such folder, or no process has read it yet
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== "object" || value === null) return false;
  const { pid, host, processStart } = value as Readonly<Record<string, unknown>>; // each field is checked
  return (
    Number.isSafeInteger(pid) &&
    typeof host === "string" &&
    (processStart === undefined || typeof processStart === "string")
  );
}
