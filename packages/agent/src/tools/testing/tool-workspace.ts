import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tool, ToolContext, ToolOutcome } from "../tool.ts";
import { validateInput } from "../validate-input.ts";

/** A workspace in a temporary folder, to try tools in. */
export interface ToolWorkspace {
  /** The folder around the workspace: what is in it is outside. */
  readonly around: string;
  readonly workspace: string;
  context(signal?: AbortSignal): ToolContext;
  /** Calls a tool as the runtime would: with arguments that its schema took. */
  call(tool: Tool, input: unknown, signal?: AbortSignal): Promise<ToolOutcome>;
  clear(): Promise<void>;
}

/** Makes a workspace for a test. */
export async function createToolWorkspace(): Promise<ToolWorkspace> {
  const around = await realpath(await mkdtemp(join(tmpdir(), "sheepdog-tools-")));
  const workspace = join(around, "work");
  await mkdir(workspace);
  const context = (signal: AbortSignal = new AbortController().signal): ToolContext => ({
    sessionId: "ses_1",
    runId: "run_1",
    callId: "call_1",
    workspace,
    signal,
    progress: () => undefined,
  });
  return {
    around,
    workspace,
    context,
    async call(tool, input, signal) {
      const validated = await validateInput(tool, input);
      if (!validated.ok) throw new Error(validated.problem);
      return tool.run(validated.input, context(signal));
    },
    clear: () => rm(around, { recursive: true, force: true }),
  };
}
