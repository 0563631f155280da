import { mkdirSync } from "node:fs";
import { bashTool } from "../../../src/tools/bash-tool.ts";
import { toOutcome } from "../../../src/tools/run-tool.ts";
import { findSandbox } from "../../../src/tools/sandbox/find-sandbox.ts";
import { report } from "../step.ts";

export interface CommandInput {
  /** The workspace; the job creates it. */
  readonly folder: string;
  /** Executed one after the other. */
  readonly commands: readonly string[];
  readonly isSandboxed?: boolean;
}

/** Executes commands with the bash tool and reports each result. */
export async function command({ folder, commands, isSandboxed = false }: CommandInput): Promise<void> {
  mkdirSync(folder);
  const found = isSandboxed ? await findSandbox({ workspace: folder }) : undefined;
  const bash = bashTool(found?.isAvailable ? { sandbox: found.sandbox } : {});
  const context = {
    sessionId: "ses_1",
    runId: "run_1",
    callId: "call_1",
    workspace: folder,
    signal: new AbortController().signal,
    progress: () => undefined,
  };
  for (const each of commands) report({ ...toOutcome(await bash.run({ command: each }, context)) });
}
