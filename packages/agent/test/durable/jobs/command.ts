import { mkdirSync } from "node:fs";
import { bashTool } from "../../../src/tools/bash-tool.ts";
import { toOutcome } from "../../../src/tools/run-tool.ts";
import { tell } from "../step.ts";

export interface CommandOrder {
  /** The workspace; it is made. */
  readonly folder: string;
  /** Run one after the other. */
  readonly commands: readonly string[];
}

/** Runs commands as the tool does, and tells what came of each. */
export async function command({ folder, commands }: CommandOrder): Promise<void> {
  mkdirSync(folder);
  const bash = bashTool();
  const about = {
    sessionId: "ses_1",
    runId: "run_1",
    callId: "call_1",
    workspace: folder,
    signal: new AbortController().signal,
    progress: () => undefined,
  };
  for (const each of commands) tell({ ...toOutcome(await bash.run({ command: each }, about)) });
}
