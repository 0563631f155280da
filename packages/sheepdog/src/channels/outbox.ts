import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../home.ts";
import type { ChannelTarget } from "./channel-settings.ts";
import { isWaiting, type Notice, questionKey } from "./notice.ts";
import { jsonFilesIn, makePrivateFolder, readPrivateFile, writePrivateFile } from "./private-files.ts";

/** A message to people that waits in the home until it is delivered. */
export interface OutboxEntry {
  /** The name of its file, which begins with its time. */
  readonly file: string;
  readonly channel: ChannelTarget;
  readonly notice: Notice;
  /** The id of the request that an answer names. Absent: nobody may answer. */
  readonly requestId?: string;
  readonly attempts: number;
  /** Why it was not delivered yet. */
  readonly problem?: string;
}

/** More messages for an account are not kept: the oldest go. */
const maxEntries = 200;

/** Adds a message. */
export function addToOutbox(home: Home, entry: Pick<OutboxEntry, "channel" | "notice" | "requestId">): void {
  const folder = makePrivateFolder(home.dir, "channels", "outbox", entry.channel.account);
  const names = jsonFilesIn(folder);
  for (const name of names.slice(0, Math.max(0, names.length - maxEntries + 1)))
    rmSync(join(folder, name), { force: true });
  const file = `${String(entry.notice.at).padStart(15, "0")}-${randomBytes(6).toString("hex")}.json`;
  writePrivateFile(join(folder, file), { ...entry, attempts: 0 });
}

/** The messages that wait for an account, oldest first. Damaged files are removed. */
export function readOutbox(home: Home, account: string): readonly OutboxEntry[] {
  const folder = outboxFolder(home, account);
  return jsonFilesIn(folder).flatMap((file) => {
    const entry = readPrivateFile(join(folder, file));
    if (isEntry(entry)) return [{ ...entry, file }];
    rmSync(join(folder, file), { force: true });
    return [];
  });
}

/** Whether messages wait for an account. */
export function hasOutbox(home: Home, account: string): boolean {
  return jsonFilesIn(outboxFolder(home, account)).length > 0;
}

/** Removes messages that were delivered or given up. */
export function removeFromOutbox(home: Home, entries: readonly OutboxEntry[]): void {
  for (const { channel, file } of entries) rmSync(join(outboxFolder(home, channel.account), file), { force: true });
}

/** Records an attempt that failed, unless the message was removed meanwhile or the disk is full. */
export function noteAttempt(home: Home, { file, ...entry }: OutboxEntry, problem: string): void {
  const path = join(outboxFolder(home, entry.channel.account), file);
  if (!existsSync(path)) return;
  try {
    writePrivateFile(path, { ...entry, attempts: entry.attempts + 1, problem });
  } catch {
    // the message stays as it was
  }
}

/** Removes the questions of a run from the outbox: the one with this key, or all of them when the run has ended. */
export function removeQuestions(home: Home, account: string, { runId, key }: ClosedQuestion): void {
  const closed = readOutbox(home, account).filter(
    ({ notice }) =>
      notice.run.runId === runId && isWaiting(notice) && (key === undefined || questionKey(notice.topic) === key),
  );
  removeFromOutbox(home, closed);
}

interface ClosedQuestion {
  readonly runId: string;
  readonly key?: string;
}

export function outboxFolder({ channelsDir }: Home, account: string): string {
  return join(channelsDir, "outbox", account);
}

/** Our own file, as far as its fields are needed to send it. */
function isEntry(value: unknown): value is Omit<OutboxEntry, "file"> {
  if (typeof value !== "object" || value === null) return false;
  const { channel, notice, attempts } = value as Partial<OutboxEntry>; // each field is checked
  return (
    typeof channel?.account === "string" &&
    typeof notice?.sentence === "string" &&
    typeof notice.at === "number" &&
    typeof notice.run?.runId === "string" &&
    Array.isArray(notice.details) &&
    typeof attempts === "number"
  );
}
