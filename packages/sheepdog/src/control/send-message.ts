import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Home } from "../home.ts";
import type { ControlMessage } from "./control-message.ts";
import { answerPath, claimedPath, makeMessagesFolder } from "./messages-folder.ts";

/** A message that was sent. */
export interface SentMessage {
  /** Waits until the run has applied the message or has ended. If neither happens in time, the message is withdrawn. */
  answer(waitMs: number): Promise<MessageAnswer>;
}

/**
 * What became of a message. `limit` is the limit in force from now on, if the message set one. `refused`: the run has
 * no such limit to add to. `unanswered`: the message was withdrawn and will not be applied.
 */
type MessageAnswer =
  | { readonly type: "applied"; readonly limit?: number }
  | { readonly type: "refused" | "ended" | "unanswered" };

/** Writes a message to the folder that the process of the run reads. The file appears complete or not at all. */
export async function sendMessage(home: Home, runId: string, message: ControlMessage): Promise<SentMessage> {
  const folder = makeMessagesFolder(home, runId);
  const path = join(folder, `${String(Date.now()).padStart(15, "0")}-${randomBytes(6).toString("hex")}.json`);
  const draft = join(folder, `.${basename(path)}`);
  try {
    writeFileSync(draft, `${JSON.stringify(message)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return { answer: (waitMs) => waitForAnswer(path, waitMs) };
}

const pollMs = 50;
/** The longest time from claiming a message to applying it. */
const applyMs = 1_000;

async function waitForAnswer(path: string, waitMs: number): Promise<MessageAnswer> {
  const answer = await answerWithin(path, waitMs);
  if (answer !== undefined) return answer;
  if (withdraw(path)) return { type: "unanswered" };
  return (await answerWithin(path, applyMs)) ?? { type: "unanswered" };
}

async function answerWithin(path: string, waitMs: number): Promise<MessageAnswer | undefined> {
  for (let leftMs = waitMs; leftMs > 0; leftMs -= pollMs) {
    if (!existsSync(dirname(path))) return { type: "ended" }; // a run removes its folder when it ends
    if (!existsSync(path) && !existsSync(claimedPath(path))) return readAnswer(answerPath(path));
    await pause(pollMs);
  }
  return undefined;
}

/** A run that could not write an answer has applied the message all the same. */
function readAnswer(path: string): MessageAnswer {
  try {
    const { type, message } = JSON.parse(readFileSync(path, "utf8")) as {
      readonly type?: unknown;
      readonly message?: { readonly stop?: unknown };
    }; // each field is checked below
    rmSync(path, { force: true });
    if (type === "refused") return { type };
    return typeof message?.stop === "number" ? { type: "applied", limit: message.stop } : { type: "applied" };
  } catch {
    return { type: "applied" };
  }
}

/** Removes a message that was not claimed. Returns false if the run has claimed it. */
function withdraw(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}
