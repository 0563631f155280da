import type { CommandResult } from "@sheepdog/web/contract";
import type { CommandContext } from "./command-context.ts";

/** What every command to a recording of another agent has as its result; undefined if there is no such recording. */
export async function recordingResult(
  { recordings }: Pick<CommandContext, "recordings">,
  id: string,
): Promise<CommandResult | undefined> {
  if ((await recordings.list()).every((entry) => entry.id !== id)) return undefined;
  return { isDone: false, text: "This is a recording of another agent. It takes no commands.", runId: id };
}
