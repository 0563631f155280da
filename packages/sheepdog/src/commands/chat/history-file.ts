import { appendFile, chmod, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { redactSecrets } from "@sheepdog/guardian";
import { makeFolder } from "@sheepdog/records";
import { plainBlock } from "../../render/timeline/plain-lines.ts";
import { MAX_TEXT_LENGTH } from "./editor/editor.ts";

const MOST = 1_000;
const MOST_BYTES = 4_000_000;

/** What was typed before, the newest last. A file that cannot be read is an empty one, and lines that are none are left out. */
export async function readHistory(path: string): Promise<readonly string[]> {
  const content = await readFile(path, "utf8").catch(() => "");
  return content.slice(-MOST_BYTES).split("\n").flatMap(textIn).slice(-MOST);
}

/** Adds a line, for its owner only and without secrets; resolves with a sentence where that cannot be done. */
export async function addToHistory(path: string, text: string): Promise<string | undefined> {
  const line = `${JSON.stringify({ text: redactSecrets(text) })}\n`;
  try {
    makeFolder(dirname(path));
    await appendFile(path, line, { mode: 0o600 });
    await chmod(path, 0o600); // it may be older
    return undefined;
  } catch (error) {
    return `What is typed is not remembered: ${error instanceof Error ? error.message : error}`;
  }
}

/** Keeps the newest 1,000 where there are many more. */
export async function trimHistory(path: string): Promise<void> {
  const content = await readFile(path, "utf8").catch(() => "");
  const lines = content.split("\n").filter((line) => line !== "");
  if (lines.length <= MOST + MOST / 10) return;
  const draft = `${path}.${process.pid}`;
  try {
    await writeFile(draft, `${lines.slice(-MOST).join("\n")}\n`, { mode: 0o600 });
    await rename(draft, path);
  } catch {
    // it is trimmed another time
  }
}

function textIn(line: string): readonly string[] {
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === "object" && read !== null && "text" in read && typeof read.text === "string"
      ? [plainBlock(read.text).slice(0, MAX_TEXT_LENGTH)]
      : [];
  } catch {
    return [];
  }
}
