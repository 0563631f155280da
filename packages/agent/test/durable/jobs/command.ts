import { mkdirSync } from "node:fs";
import { bashTool } from "../../../src/tools/bash.ts";
import { report } from "../step.ts";

export interface CommandInput {
  /** The workspace; the job creates it. */
  readonly folder: string;
  /** Executed one after the other. */
  readonly commands: readonly string[];
}

/** Executes commands with the bash tool and reports each result. */
export async function command({ folder, commands }: CommandInput): Promise<void> {
  mkdirSync(folder);
  const bash = bashTool();
  const context = {
    sessionId: "ses_1",
    runId: "run_1",
    callId: "call_1",
    workspace: folder,
    signal: new AbortController().signal,
    progress: () => undefined,
  };
  for (const each of commands) report({ ...(await bash.run({ command: each }, context)) });
}
