import type { RunResult } from "@sheepdog/agent";
import type { ScriptedTurn } from "@sheepdog/agent/testing";
import type { Seen } from "./observed-run.ts";

/** One agent of the demo. */
export interface Story {
  /** Part of its session's id. */
  readonly name: string;
  readonly title: string;
  readonly prompt: string;
  /** What it finds in its project, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** What it does next. It goes by what really came of its calls and what it was really told, as a model does. */
  readonly mind: (seen: Seen) => ScriptedTurn;
  /** Whether it came out as it was meant to: what an agent really does depends on the machine it does it on. */
  readonly isAsMeant: (result: RunResult) => boolean;
}
