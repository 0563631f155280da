import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { open, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import { makeFolder } from "@sheepdog/records";
import { plainBlock } from "../../render/timeline/plain-lines.ts";
import { MAX_TEXT_LENGTH } from "./editor/editor.ts";

const MAX_TEXTS = 1_000;
const MAX_BYTES = 4_000_000;

/** The typed texts, oldest first. An unreadable file counts as empty, and damaged lines are skipped. */
export async function readHistory(path: string): Promise<readonly string[]> {
  const content = await readFile(path, "utf8").catch(() => "");
  return content.slice(-MAX_BYTES).split("\n").flatMap(textIn).slice(-MAX_TEXTS);
}

/** A link at the place of the file is not followed. */
const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** Adds a text without its secrets to a file that only its owner can read. Resolves with a sentence if it fails. */
export async function addToHistory(
  path: string,
  text: string,
  redact: (text: string) => string = redactSecrets,
): Promise<string | undefined> {
  const line = `${JSON.stringify({ text: redact(text) })}\n`;
  try {
    makeFolder(dirname(path));
    const file = await open(path, flags, 0o600);
    try {
      await file.chmod(0o600); // an older file may have other permissions
      await file.appendFile(line);
    } finally {
      await file.close();
    }
    return undefined;
  } catch (error) {
    return `The history cannot be saved: ${error instanceof Error ? error.message : error}`;
  }
}

/** Removes all but the newest 1,000 texts when the file has clearly more. */
export async function trimHistory(path: string): Promise<void> {
  const content = await readFile(path, "utf8").catch(() => "");
  const lines = content.split("\n").filter((line) => line !== "");
  if (lines.length <= MAX_TEXTS + MAX_TEXTS / 10) return;
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, `${lines.slice(-MAX_TEXTS).join("\n")}\n`, { mode: 0o600, flag: "wx" });
    await rename(temporary, path);
  } catch {
    // the next chat tries again
  }
}

function textIn(line: string): readonly string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null && "text" in entry && typeof entry.text === "string"
      ? [plainBlock(entry.text).slice(0, MAX_TEXT_LENGTH)]
      : [];
  } catch {
    return [];
  }
}
