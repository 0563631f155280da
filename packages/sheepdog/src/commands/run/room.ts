import type { AgentEvent } from "@sheepdog/agent";
import type { Io } from "../../io.ts";
import type { Pace } from "./pace.ts";
import type { Progress } from "./progress.ts";
import type { RunOptions } from "./run-options.ts";
import type { Viewer } from "./viewer.ts";

/** Where a run is shown, and how it is left. */
export interface Room {
  readonly options: RunOptions;
  readonly io: Io;
  readonly progress: Progress;
  readonly viewer: Viewer;
  readonly pace: Pace<AgentEvent>;
  /** Ends the process at once. */
  readonly leave: (code: number) => void;
}
