import type { LineChanges } from "./line-changes.ts";

/** The folders that the paths of a command are resolved against. */
export interface FileScope {
  readonly workspace: string;
  /** The folders the command may run in: more than one when an earlier `cd` may have failed. */
  readonly folders: readonly string[];
  /** Real paths of folders that need approval, also for reading; see `GateOptions`. */
  readonly protectedFolders?: readonly string[];
  /** What the commands before it in the same line may have changed. */
  readonly changes?: LineChanges;
}

/** What a command does with a file. `remove` covers moving it away: other names of the file stay as they are. */
export type FileAccess = "read" | "write" | "remove";
