import type { AttachedGuardian, RecordedRun } from "@sheepdog/records";

/** A recorded run of any agent, as a list shows it. */
export interface RecordingEntry {
  /** `rec_` and a digest of its file and its id there. */
  readonly id: string;
  /** Its id in the file: that of the session, in most formats. */
  readonly recordedId: string;
  /** "claude-code", "trajectory", … */
  readonly source: string;
  readonly file: string;
  /** The line of the file, from 1, or the ordinal of the session in a database. */
  readonly line: number;
  readonly model: string | undefined;
  readonly task: string | undefined;
  /** How it ended, in the words of the recording. */
  readonly outcome: string | undefined;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly turns: number;
  readonly calls: number;
  /** undefined if no step has a cost. */
  readonly costUsd: number | undefined;
  /** The folder in which the agent worked. */
  readonly workspace: string | undefined;
  /** Present when hooks made the recording: how the session stands. */
  readonly guardian?: Pick<AttachedGuardian, "activity" | "lastAt"> | undefined;
}

/** A folder or file that is searched for recordings. */
export interface RecordingPlace {
  readonly place: string;
  readonly runs: number;
  /** Lines and files that could not be read. */
  readonly skipped: number;
  /** The first of them, each with file, line and reason. */
  readonly problems: readonly string[];
}

/** Recordings of other agents in files. Files are read when they are needed, and again when they have changed. */
export interface RecordingLibrary {
  list(): Promise<readonly RecordingEntry[]>;
  load(id: string): Promise<RecordedRun | undefined>;
  /** The places that are searched; absent if there are none. */
  places?(): Promise<readonly RecordingPlace[]>;
}
