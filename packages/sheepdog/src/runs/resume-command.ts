import { plainText } from "../terminal/plain-text.ts";
import { shellWord } from "../terminal/shell-word.ts";
import type { KeptRun } from "./kept-run.ts";
import { isLive } from "./state-words.ts";

/** The command that goes on with a run, as it is typed in a folder; undefined where it goes on already, is complete, is a sub-agent's, or others came after it in its session. */
export function resumeCommand({ sessionId, state, isLast, run }: KeptRun, cwd: string, ...flags: readonly string[]): string | undefined {
  if (!isLast || isLive(state) || state === "completed" || run.bookedTo !== undefined) return undefined;
  const isElsewhere = run.workspace !== undefined && run.workspace !== cwd && plainText(run.workspace) === run.workspace;
  return [`sheepdog run --resume ${sessionId}`, ...flags, ...(isElsewhere ? [`--cwd ${shellWord(run.workspace ?? "")}`] : [])].join(" ");
}
