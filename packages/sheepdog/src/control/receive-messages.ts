import { type FSWatcher, watch } from "node:fs";
import { lstat, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { EventBus, Run } from "@sheepdog/agent";
import type { Home } from "../home.ts";
import { applyMessage } from "./apply-message.ts";
import { type ControlMessage, parseMessage } from "./control-message.ts";
import { writeOwner } from "./folder-owner.ts";
import { answerPath, claimedPath, invalidPath, makeMessagesFolder, messageFileName } from "./messages-folder.ts";
import { offerLiveEvents } from "./offer-live-events.ts";
import type { OpenQuestions } from "./open-questions.ts";

/** Some file systems do not report new files, so the folder is also read at this interval. */
const pollMs = 1_000;
/** Older messages were meant for an earlier process. */
const maxAgeMs = 60_000;
/** Holds a text of 100,000 characters, which the API allows, with every character escaped. */
const maxBytes = 1_000_000;
/** How long the folder stays for an answer that is not read yet. */
const unreadMs = 300;
const unreadPollMs = 20;

export interface ReceiveOptions {
  /** The questions of the run that messages can answer. Absent: it asks nobody. */
  readonly questions?: OpenQuestions | undefined;
  /** The events that other processes can follow. Absent: none. */
  readonly bus?: Pick<EventBus, "subscribe"> | undefined;
  /** A message was applied to the run. */
  onMessage?(message: ControlMessage): void;
  /** Messages cannot be received, or a file without a valid message was moved aside. */
  onProblem?(sentence: string): void;
}

/**
 * Receives messages to a run and applies them, oldest first, until the run ends or the returned function is called. A
 * run whose home folder is not writable receives none.
 */
export function receiveMessages(home: Home, run: Run, options: ReceiveOptions = {}): () => void {
  const folder = openFolder(home, run, options);
  if (folder === undefined) return () => {};
  writeOwner(folder);
  const stopEvents = options.bus === undefined ? () => {} : offerLiveEvents(folder, options.bus);
  let isEnded = false;
  let reading: Promise<void> | undefined;
  let isReadNeeded = false;

  const requestRead = () => {
    isReadNeeded = true;
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
  };
  const readAll = async () => {
    while (isReadNeeded && !isEnded) {
      isReadNeeded = false;
      for (const name of await messageNames(folder)) {
        if (isEnded) return;
        const path = join(folder, name);
        const message = await readMessage(path, options);
        if (message === undefined || !(await claim(path))) continue;
        const result = await applyMessage(run, message, options.questions);
        if (result.type === "ended") return; // the folder is removed, which tells the sender
        if (result.type === "applied") options.onMessage?.(result.message);
        // A sender without an answer still knows that the run has claimed its message.
        await writeFile(answerPath(path), JSON.stringify(result), { mode: 0o600 }).catch(() => {});
        await rm(claimedPath(path), { force: true });
      }
    }
  };
  const watcher = watchFolder(folder, requestRead);
  // Also keeps the process alive while its run waits for nothing but an answer of another process.
  const timer = setInterval(requestRead, pollMs);
  requestRead();

  const end = () => {
    if (isEnded) return;
    isEnded = true;
    clearInterval(timer);
    watcher?.close();
    stopEvents();
    // A folder that cannot be removed does no harm; `sheepdog prune` removes it later.
    void Promise.resolve(reading)
      .then(() => answersRead(folder))
      .then(() => rm(folder, { recursive: true, force: true }))
      .catch(() => {});
  };
  run.result.then(end, end);
  return end;
}

function openFolder(home: Home, { runId }: Run, { onProblem }: ReceiveOptions): string | undefined {
  try {
    return makeMessagesFolder(home, runId);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    onProblem?.(`This run cannot receive messages from other processes: ${reason}`);
    return undefined;
  }
}

/** Waits until senders have read their answers, for a moment: an answer may be the last thing a run waits for. */
async function answersRead(folder: string): Promise<void> {
  for (let leftMs = unreadMs; leftMs > 0; leftMs -= unreadPollMs) {
    const names = await readdir(folder).catch(() => []);
    if (!names.some((name) => name.endsWith(".answer"))) return;
    await pause(unreadPollMs);
  }
}

async function messageNames(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => messageFileName.test(name)).sort();
  } catch {
    return []; // the folder was removed
  }
}

/** The message in a file; undefined if it is too old, invalid or withdrawn. */
async function readMessage(path: string, { onProblem }: ReceiveOptions): Promise<ControlMessage | undefined> {
  try {
    const stats = await lstat(path);
    if (Date.now() - stats.mtimeMs > maxAgeMs) {
      await rm(path, { force: true, recursive: true });
      return undefined;
    }
    const isAcceptable = stats.isFile() && stats.size <= maxBytes && stats.uid === (process.getuid?.() ?? stats.uid);
    const message = isAcceptable ? parseMessage(await readFile(path, "utf8")) : undefined;
    if (message !== undefined) return message;
    await rename(path, invalidPath(path));
    onProblem?.(`${path} is not a valid control message; it was renamed to ${invalidPath(path)}.`);
  } catch {
    // the sender has withdrawn it
  }
  return undefined;
}

/** Ensures that a message is applied once. Returns false if its sender has withdrawn it. */
async function claim(path: string): Promise<boolean> {
  try {
    await rename(path, claimedPath(path));
    return true;
  } catch {
    return false;
  }
}

function watchFolder(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false }, onChange).on("error", () => {}); // the timer still reads the folder
  } catch {
    return undefined; // the system has no more watches
  }
}
