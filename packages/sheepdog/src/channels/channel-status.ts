import { join } from "node:path";
import type { Home } from "../home.ts";
import { makePrivateFolder, readPrivateFile, writePrivateFile } from "./private-files.ts";

/** How the last deliveries of an account went. */
export interface ChannelStatus {
  readonly sentAt?: number;
  readonly problem?: string;
  readonly problemAt?: number;
}

/** Reads the status of an account; empty if nothing was sent yet. */
export function readStatus({ channelsDir }: Home, account: string): ChannelStatus {
  const value = readPrivateFile(join(channelsDir, "status", `${account}.json`));
  if (typeof value !== "object" || value === null) return {};
  const { sentAt, problem, problemAt } = value as Readonly<Record<string, unknown>>; // each field is checked
  return {
    ...(typeof sentAt === "number" ? { sentAt } : {}),
    ...(typeof problem === "string" ? { problem } : {}),
    ...(typeof problemAt === "number" ? { problemAt } : {}),
  };
}

/** Changes the status of an account, if the disk takes it: it is only shown, and nothing depends on it. */
export function writeStatus(home: Home, account: string, change: ChannelStatus): void {
  try {
    const folder = makePrivateFolder(home.dir, "channels", "status");
    writePrivateFile(join(folder, `${account}.json`), { ...readStatus(home, account), ...change });
  } catch {
    // the disk is full, or the folder is not writable
  }
}
