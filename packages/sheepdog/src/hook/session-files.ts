import { mkdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainDigest } from "@sheepdog/guardian";
import { readSessionState, type SessionState, type SpoolLine } from "@sheepdog/integrations/hooks";
import { appendLines, readRegularFile } from "@sheepdog/records/files";
import type { Home } from "../home.ts";

/** The files of one session of an attached agent. */
export interface SessionFiles {
  readonly dir: string;
  readonly lock: string;
  readonly state: string;
  readonly spool: string;
}

/** Ids that are no safe file names are hashed. */
export function sessionFiles({ attachDir }: Home, agent: string, session: string): SessionFiles {
  const dir = join(attachDir, agent);
  const isSafe = /^[A-Za-z0-9_-][\w.-]{0,99}$/.test(session);
  const name = isSafe ? session : `session-${plainDigest.of(session).replace(/\W/g, "-")}`;
  return {
    dir,
    lock: join(dir, `${name}.lock`),
    state: join(dir, `${name}.json`),
    spool: join(dir, `${name}.jsonl`),
  };
}

export function makeSessionFolder({ dir }: SessionFiles): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
}

/** A stored state, and a sentence if the file is damaged. */
export interface StoredState {
  readonly session: SessionState;
  readonly recording?: unknown;
  readonly problem?: string;
}

/** Reads the state. A damaged one starts anew: it holds what loops look like, nothing that cannot be lost. */
export function readState({ state }: SessionFiles): StoredState {
  let text: string;
  try {
    text = readRegularFile(state);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    return { session: readSessionState(undefined) };
  }
  try {
    const { session, recording } = JSON.parse(text) as Partial<StoredState>; // each part checks itself
    if (typeof session === "object") return { session: readSessionState(session), recording };
  } catch {
    // the same as a file with something else
  }
  return { session: readSessionState(undefined), problem: `${state} is damaged; the session starts anew` };
}

/** Replaces the state at once: a killed process leaves the old one. Only the holder of the lock calls it. */
export function writeState({ state }: SessionFiles, stored: Pick<StoredState, "session" | "recording">): void {
  const temporary = `${state}.tmp`;
  try {
    writeFileSync(temporary, JSON.stringify(stored), { mode: 0o600 });
    renameSync(temporary, state);
  } catch (error) {
    removeFile(temporary);
    throw error;
  }
}

function removeFile(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // it was never made
  }
}

export function appendSpool({ spool }: SessionFiles, lines: readonly SpoolLine[]): void {
  if (lines.length === 0) return;
  appendLines(spool, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
