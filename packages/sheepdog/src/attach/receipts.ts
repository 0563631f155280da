import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type HookAgent, hookAgents } from "@sheepdog/integrations/hooks";
import { editFile } from "../config/edit-file.ts";
import type { Home } from "../home.ts";
import type { Scope } from "./agents.ts";

/** What is remembered about an attached settings file, so that `detach` can restore it. */
export interface Receipt {
  readonly agent: HookAgent;
  readonly scope: Scope;
  /** The path by which it was attached. */
  readonly file: string;
  /** The file itself, where the path is a symbolic link. */
  readonly target: string;
  /** The name of the copy of the file from before, below `attach/backups`; null if there was no file. */
  readonly backup: string | null;
  /** SHA-256 of the text that was written. While the file still has it, the copy can be put back. */
  readonly written: string;
  /** Folders that were made for the file, outermost first. */
  readonly folders: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** SHA-256 of a text. */
export function hashOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** All receipts. None if there is no file, or it is damaged. */
export function readReceipts({ attachedFile }: Pick<Home, "attachedFile">): readonly Receipt[] {
  try {
    return receiptsIn(readFileSync(attachedFile, "utf8"));
  } catch {
    return []; // nothing was ever attached
  }
}

/** The receipts of files that are gone, as with their project. */
export function lostReceipts(home: Pick<Home, "attachedFile">): readonly Receipt[] {
  return readReceipts(home).filter(({ file }) => !existsSync(file));
}

/** Adds a receipt, in place of the one for the same file, which is removed with undefined. */
export async function writeReceipt(home: Home, target: string, receipt: Receipt | undefined): Promise<void> {
  await editFile(home.attachedFile, (content) => {
    const others = receiptsIn(Buffer.from(content ?? "").toString()).filter((other) => other.target !== target);
    const receipts = receipt === undefined ? others : [...others, receipt];
    return `${JSON.stringify({ version: 1, receipts }, null, 2)}\n`;
  });
}

function receiptsIn(text: string): readonly Receipt[] {
  try {
    const { receipts } = JSON.parse(text) as { readonly receipts?: unknown }; // checked here
    return Array.isArray(receipts) ? receipts.filter(isReceipt) : [];
  } catch {
    return [];
  }
}

function isReceipt(value: unknown): value is Receipt {
  if (typeof value !== "object" || value === null) return false;
  const { agent, scope, file, target, backup, written, folders, at } = value as Partial<Receipt>; // checked here
  const isNamed = hookAgents.some((id) => id === agent) && ["user", "project", "local"].includes(scope ?? "");
  const isPlaced = typeof file === "string" && typeof target === "string" && Array.isArray(folders);
  return isNamed && isPlaced && typeof written === "string" && typeof at === "number" && isBackup(backup);
}

function isBackup(backup: unknown): boolean {
  return backup === null || (typeof backup === "string" && /^[\w.-]+$/.test(backup));
}

/** Copies the text of a settings file to the backups, which only the user can read. Returns the name of the copy. */
export async function saveBackup({ attachDir }: Home, agent: HookAgent, text: string, at: number): Promise<string> {
  const time = new Date(at).toISOString().replace(/\D/g, "").slice(0, 14);
  const name = `${agent}-${time}-${randomBytes(3).toString("hex")}.backup`;
  await mkdir(join(attachDir, "backups"), { recursive: true, mode: 0o700 });
  await writeFile(backupPath({ attachDir }, name), text, { mode: 0o600, flag: "wx" });
  return name;
}

/** The text of a backup; undefined if it is gone. */
export async function readBackup(home: Home, name: string): Promise<string | undefined> {
  return readFile(backupPath(home, name), "utf8").catch(() => undefined);
}

export async function removeBackup(home: Home, name: string): Promise<void> {
  await rm(backupPath(home, name), { force: true });
}

/** The path of a backup. */
function backupPath({ attachDir }: Pick<Home, "attachDir">, name: string): string {
  return join(attachDir, "backups", name);
}
