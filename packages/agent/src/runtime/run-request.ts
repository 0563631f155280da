import type { TreeBudget } from "../costs/tree-budget.ts";
import type { RunEvents } from "../events/run-events.ts";
import type { Inbox, Prompt } from "../loop/inbox.ts";
import type { Goal } from "../protocol/goal.ts";
import type { SavedRun } from "../stores/stores.ts";
import type { RunControls } from "./run-controls.ts";
import type { StartSubagent } from "./subagents.ts";

/** What to run in which session. */
export interface RunRequest {
  readonly sessionId: string;
  /** The prompt that started the run, perhaps in an earlier process. */
  readonly title: string;
  /** The message to start with; undefined when a run continues where its process crashed. */
  readonly prompt: Prompt | undefined;
  readonly goal?: Goal;
  /** The run plans, and other runs do the work. */
  readonly isDirected?: true;
  /** The run to continue. */
  readonly resumed?: SavedRun;
}

/** A request with the parts of its started run that exist before the session is open. */
export interface StartedRun {
  readonly request: RunRequest;
  readonly runId: string;
  readonly events: RunEvents;
  readonly inbox: Inbox;
  readonly controls: RunControls;
  /** The money of the run, the runs above it and all their subagents. */
  readonly tree: TreeBudget;
  readonly startSubagent: StartSubagent;
  /** Aborted when the run is cancelled. */
  readonly cancelled: AbortSignal;
  /** Called once the session belongs to this run. */
  readonly onOpened: () => void;
}
