import type { RunResult } from "@sheepdog/agent";
import type { ScriptedTurn } from "@sheepdog/agent/testing";
import type { ObservedRun } from "./observed-run.ts";

/** A scripted agent of the demo. */
export interface Story {
  /** Part of the session id. */
  readonly name: string;
  readonly title: string;
  readonly prompt: string;
  /** The files of its project, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Decides the next turn from the real results of its calls and the real notices of the guardian. */
  readonly decide: (observed: ObservedRun) => ScriptedTurn;
  /** What a second opinion says about it. */
  readonly opinion: { readonly verdict: "stuck"; readonly advice?: string };
  /** Whether the run ended as the story intends; on some machines it may not, for example without a shell. */
  readonly isExpected: (result: RunResult) => boolean;
}
