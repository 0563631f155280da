import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Home } from "../home.ts";
import type { CommandOutcome } from "./command-outcome.ts";
import { type ControlMessage, parseMessage } from "./control-message.ts";
import { answerPath, claimedPath, invalidPath, makeMessagesFolder } from "./messages-folder.ts";

/** A message that was sent. */
export interface SentMessage {
  /** Waits until the run has applied the message or has ended. If neither happens in time, the message is withdrawn. */
  answer(waitMs: number): Promise<CommandOutcome>;
}

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
  return { answer: (waitMs) => waitForAnswer({ path, message }, waitMs) };
}

const pollMs = 50;
/** The longest time from claiming a message to applying it. */
const applyMs = 1_000;

/** A message that was written to a file. */
interface WrittenMessage {
  readonly path: string;
  readonly message: ControlMessage;
}

async function waitForAnswer(written: WrittenMessage, waitMs: number): Promise<CommandOutcome> {
  const answer = await answerWithin(written, waitMs);
  if (answer !== undefined) return answer;
  if (withdraw(written.path)) return { type: "unanswered" };
  return (await answerWithin(written, applyMs)) ?? { type: "unanswered" };
}

async function answerWithin({ path, message }: WrittenMessage, waitMs: number): Promise<CommandOutcome | undefined> {
  for (let leftMs = waitMs; leftMs > 0; leftMs -= pollMs) {
    if (!existsSync(dirname(path))) return { type: "ended" }; // a run removes its folder when it ends
    if (!existsSync(path) && !existsSync(claimedPath(path)))
      return existsSync(invalidPath(path)) ? invalid : readAnswer(answerPath(path), message);
    await pause(pollMs);
  }
  return undefined;
}

const invalid: CommandOutcome = {
  type: "refused",
  reason: "The run cannot read this message. It is too long, or its text is empty.",
};

/** A run that could not write an answer has applied the message all the same. */
function readAnswer(path: string, sent: ControlMessage): CommandOutcome {
  try {
    const answer = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>; // each field is checked
    const { type, reason, message } = answer;
    rmSync(path, { force: true });
    if (type === "refused") return { type, reason: typeof reason === "string" ? reason : "The run refused it." };
    return { type: "applied", message: parseMessage(JSON.stringify(message)) ?? sent };
  } catch {
    return { type: "applied", message: sent };
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
