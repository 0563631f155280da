import { randomBytes } from "node:crypto";
import { linkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Holder, isGone, thisProcess } from "@sheepdog/agent";
import type { Home } from "../../home.ts";
import { createPrivateFile, makePrivateFolder, readPrivateFile } from "../private-files.ts";

/** The right to deliver the messages of an account and to read its answers. One process at a time has it. */
export interface AccountLease {
  /** Whether this process still has it: another one may have taken it for dead. */
  isHeld(): boolean;
  release(): void;
}

/** Claims an account; undefined if a running process has it. */
export function claimAccount(home: Home, account: string): AccountLease | undefined {
  const folder = makePrivateFolder(home.dir, "channels", "leases");
  const path = join(folder, `${account}.json`);
  const self = thisProcess();
  const isOwn = () => holderIn(path)?.id === self.id;
  removeStale(path);
  if (!createPrivateFile(path, self)) return undefined;
  return {
    isHeld: isOwn,
    release() {
      if (isOwn()) rmSync(path, { force: true });
    },
  };
}

/** Whether a running process delivers for an account. */
export function isClaimed({ channelsDir }: Home, account: string): boolean {
  const holder = holderIn(join(channelsDir, "leases", `${account}.json`));
  return holder !== undefined && !isGone(holder);
}

/** Removes the lease of a process that has ended, and only that one. */
function removeStale(path: string): void {
  const holder = holderIn(path);
  if (holder === undefined || !isGone(holder)) return;
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    renameSync(path, aside);
    // Another process may have claimed it in between: then its lease is put back.
    if (holderIn(aside)?.id !== holder.id) linkSync(aside, path);
  } catch {
    // another process was faster
  } finally {
    rmSync(aside, { force: true });
  }
}

function holderIn(path: string): Holder | undefined {
  const value = readPrivateFile(path);
  if (typeof value !== "object" || value === null) return undefined;
  const { id, pid, host } = value as Partial<Holder>; // each field is checked
  return typeof id === "string" && typeof pid === "number" && typeof host === "string" ? (value as Holder) : undefined;
}
