import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toOutcome } from "../run-tool.ts";
import type { Tool, ToolContext, ToolOutcome } from "../tool.ts";
import { validateInput } from "../validate-input.ts";

/** A workspace in a temporary folder, for tests of tools. */
export interface ToolWorkspace {
  /** The parent folder of the workspace: files in it are outside the workspace. */
  readonly outside: string;
  readonly workspace: string;
  context(signal?: AbortSignal): ToolContext;
  /** Validates the arguments and runs the tool, as the runtime does. */
  call(tool: Tool, input: unknown, signal?: AbortSignal): Promise<ToolOutcome>;
  remove(): Promise<void>;
}

/** Creates a workspace for a test. */
export async function createToolWorkspace(): Promise<ToolWorkspace> {
  const outside = await realpath(await mkdtemp(join(tmpdir(), "sheepdog-tools-")));
  const workspace = join(outside, "work");
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
    outside,
    workspace,
    context,
    async call(tool, input, signal) {
      const validated = await validateInput(tool, input);
      if (!validated.ok) throw new Error(validated.problem);
      return toOutcome(await tool.run(validated.input, context(signal)));
    },
    remove: () => rm(outside, { recursive: true, force: true }),
  };
}
