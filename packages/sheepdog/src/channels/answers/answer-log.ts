import { renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import { appendLines, readRegularFile } from "@sheepdog/records/files";
import type { Home } from "../../home.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { makePrivateFolder } from "../private-files.ts";

/** One answer from a channel, whether it had an effect or not. */
export interface LoggedAnswer {
  readonly at: number;
  readonly channel: string;
  readonly type: string;
  /** The id of the sender at the vendor. */
  readonly sender: string;
  readonly senderName?: string;
  /** What was wanted, such as `approve`. */
  readonly action: string;
  readonly runId: string | null;
  readonly outcome: "applied" | "refused" | "ended" | "unanswered";
  /** Why it had no effect. */
  readonly reason?: string;
  /** The words of the sender, shortened and without secrets. */
  readonly text?: string;
}

const maxText = 200;
const maxBytes = 2_000_000;

/** Adds a line to the log, if the disk takes it: an answer that was applied stays applied. */
export function logAnswer(home: Home, answer: LoggedAnswer): void {
  try {
    appendAnswer(home, answer);
  } catch {
    // the disk is full, or the folder is not writable
  }
}

/** A full log is kept once more under another name. */
function appendAnswer(home: Home, answer: LoggedAnswer): void {
  const path = join(makePrivateFolder(home.dir, "channels"), "answers.jsonl");
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(path, `${path}.1`);
  const { text, senderName, sender, ...rest } = answer;
  const line = {
    ...rest,
    sender: short(sender),
    ...(senderName === undefined ? {} : { senderName: short(senderName) }),
    ...(text === undefined ? {} : { text: short(text) }),
  };
  appendLines(path, `${JSON.stringify(line)}\n`);
}

/** The newest answers, newest first. Damaged lines are left out. */
export function readAnswerLog({ channelsDir }: Home, limit: number): readonly LoggedAnswer[] {
  const path = join(channelsDir, "answers.jsonl");
  const lines = [`${path}.1`, path].flatMap((file) => readLines(file));
  return lines.slice(-limit).toReversed().flatMap(parseLine);
}

function readLines(path: string): readonly string[] {
  try {
    return readRegularFile(path).trimEnd().split("\n");
  } catch {
    return []; // nobody has answered yet
  }
}

function parseLine(line: string): readonly LoggedAnswer[] {
  try {
    return [JSON.parse(line) as LoggedAnswer]; // our own file
  } catch {
    return []; // a line that was cut off
  }
}

function short(text: string): string {
  return redactSecrets(plainText(text)).slice(0, maxText);
}
