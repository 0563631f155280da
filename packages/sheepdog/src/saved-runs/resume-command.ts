import { existsSync } from "node:fs";
import type { Config } from "../config/schema.ts";
import { plainText } from "../render/terminal/plain-text.ts";
import { shellWord } from "../render/terminal/shell-word.ts";
import { raiseLimit } from "./raised-limit.ts";
import { isLive } from "./run-state.ts";
import type { RunSummary } from "./run-summary.ts";

/** Where a command is typed, and what is configured there. */
export interface ResumeContext {
  readonly cwd: string;
  readonly config: Pick<Config, "agent" | "budget">;
}

/** The command that goes on with a run, as it is typed in a folder; undefined where it cannot be gone on with, or its folder cannot be named. */
export function resumeCommand(kept: RunSummary, cwd: string, ...flags: readonly string[]): string | undefined {
  const { sessionId, run } = kept;
  const { workspace = cwd } = run;
  if (!canGoOn(kept) || (workspace !== cwd && !canBeNamed(workspace))) return undefined;
  return [
    `sheepdog run --resume ${sessionId}`,
    ...flags,
    ...(workspace === cwd ? [] : [`--cwd ${shellWord(workspace)}`]),
  ].join(" ");
}

/** The same with more of what ended it, which would end it again. */
export function raisedResumeCommand(kept: RunSummary, { cwd, config }: ResumeContext): string | undefined {
  const { sessionId, run, costNanoUsd } = kept;
  const raised =
    run.reason === undefined
      ? undefined
      : raiseLimit(
          { sessionId, reason: run.reason },
          { config, isPriced: costNanoUsd !== null, maxContextTokens: config.agent.max_context_tokens },
        );
  return resumeCommand(kept, cwd, ...(raised === undefined ? [] : [raised.flag]));
}

/** How to go on, for people. Where the folder of a run is gone, another one has to be chosen. */
export function resumeHint(kept: RunSummary, here: ResumeContext): string | undefined {
  const { cwd } = here;
  const command = raisedResumeCommand(kept, here);
  if (command !== undefined) return `To go on: ${command}`;
  if (!canGoOn(kept)) return undefined;
  const where = existsSync(kept.run.workspace ?? cwd) ? "in its folder" : "in another folder, for its own is gone";
  return `To go on, ${where}: sheepdog run --resume ${kept.sessionId}`;
}

/** Not one that goes on already, is complete, is a subagent's, or has others after it in its session. */
function canGoOn({ state, isLast, run }: RunSummary): boolean {
  return isLast && !isLive(state) && state !== "completed" && run.billingSessionId === undefined;
}

function canBeNamed(folder: string): boolean {
  return plainText(folder) === folder && existsSync(folder);
}
