import type { SqliteDatabase } from "@sheepdog/records";
import type { Checkpoint } from "../stores.ts";
import { changesText, wholeText } from "./checkpoint-parts.ts";

/** The checkpoint of a session that was written whole last, by the number it has there. */
export interface Whole {
  readonly n: number;
  readonly guardian: Checkpoint["guardian"];
  readonly length: number;
}

/** A checkpoint about to be written: by what has changed, where a whole one is known and that is little. */
export interface CheckpointDraft {
  readonly checkpoint: Checkpoint;
  readonly changes?: { readonly since: Whole; readonly text: string };
}

/** This much may always have changed: it is a part of one page. */
const fewCharacters = 4_000;

/** Puts a checkpoint into text. */
export function draftCheckpoint(checkpoint: Checkpoint, since: Whole | undefined): CheckpointDraft {
  if (since === undefined) return { checkpoint };
  const text = changesText(checkpoint, since.guardian);
  return text.length > Math.max(fewCharacters, since.length / 4)
    ? { checkpoint }
    : { checkpoint, changes: { since, text } };
}

/**
 * Writes a checkpoint within a transaction, and says which one is now there as a whole. What has changed is written only where the database still has the whole
 * one it goes by: so a commit that failed, or another one who wrote, can leave nothing behind that does not fit together.
 */
export interface CheckpointWriter {
  write(session: number, draft: CheckpointDraft): Whole;
}

/** Makes what writes checkpoints to a database. */
export function createCheckpointWriter(database: SqliteDatabase): CheckpointWriter {
  return new PreparedWriter(database);
}

class PreparedWriter implements CheckpointWriter {
  private readonly updateChanges: Prepared;
  private readonly lastOf: Prepared;
  private readonly insertWhole: Prepared;
  private readonly insertChanges: Prepared;

  constructor(database: SqliteDatabase) {
    this.updateChanges = database.prepare("UPDATE checkpoint_changes SET json = ? WHERE session = ? AND n = ?");
    this.lastOf = database.prepare("SELECT n FROM checkpoint_changes WHERE session = ?");
    this.insertWhole = database.prepare("INSERT OR REPLACE INTO checkpoints (session, n, json) VALUES (?, ?, ?)");
    this.insertChanges = database.prepare(
      "INSERT OR REPLACE INTO checkpoint_changes (session, n, json) VALUES (?, ?, ?)",
    );
  }

  write(session: number, { checkpoint, changes }: CheckpointDraft): Whole {
    if (changes !== undefined && Number(this.updateChanges.run(changes.text, session, changes.since.n).changes) === 1)
      return changes.since;
    const { guardian } = checkpoint;
    const n = ((this.lastOf.get(session) as { readonly n: number } | undefined)?.n ?? 0) + 1; // the column asked for
    const text = wholeText(checkpoint);
    this.insertWhole.get(session, n, text);
    this.insertChanges.get(session, n, changesText(checkpoint, guardian));
    return { n, guardian, length: text.length };
  }
}

type Prepared = ReturnType<SqliteDatabase["prepare"]>;
