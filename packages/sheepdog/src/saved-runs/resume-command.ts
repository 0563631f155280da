import { existsSync } from "node:fs";
import type { Config } from "../config/schema.ts";
import { plainText } from "../render/terminal/plain-text.ts";
import { shellWord } from "../render/terminal/shell-word.ts";
import { cannotContinue, limitFlags, type RaisedLimit, raiseLimit } from "./raised-limit.ts";
import { isLive } from "./run-state.ts";
import type { RunSummary } from "./run-summary.ts";

/** The folder in which the user types the command, and its configuration. */
export interface ResumeContext {
  readonly cwd: string;
  readonly config: Pick<Config, "agent" | "budget">;
  /** How the user calls the program; by default `sheepdog`. */
  readonly program?: string;
}

/** The command that resumes a run; undefined if it cannot be resumed or its folder is missing. */
export function resumeCommand(
  summary: RunSummary,
  { cwd, program = "sheepdog" }: Pick<ResumeContext, "cwd" | "program">,
  ...flags: readonly string[]
): string | undefined {
  const { workspace = cwd } = summary.run;
  if (!canResume(summary) || (workspace !== cwd && !canBeTyped(workspace))) return undefined;
  const folder = workspace === cwd ? [] : [`--cwd ${shellWord(workspace)}`];
  return [`${program} run --resume ${summary.sessionId}`, ...flags, ...folder].join(" ");
}

/**
 * The same command with the limits of the run, and with a higher value for the one that ended it: the old value would
 * end it again.
 */
export function raisedResumeCommand(summary: RunSummary, context: ResumeContext): string | undefined {
  return resumeCommand(summary, context, ...raisedFlags(summary, context.config).map(({ flag }) => flag));
}

/** The flags of that command. */
export function raisedFlags(
  { sessionId, run, costNanoUsd, ended, limits }: RunSummary,
  config: ResumeContext["config"],
): readonly RaisedLimit[] {
  const raised =
    run.reason === undefined
      ? undefined
      : raiseLimit({ ...ended, sessionId, reason: run.reason }, { config, isPriced: costNanoUsd !== null });
  const same = limitFlags(limits, config).filter(({ key }) => key !== raised?.key);
  return [...(raised === undefined ? [] : [raised]), ...same];
}

/** A sentence that tells the user how to resume a run; undefined if it cannot be resumed. */
export function resumeHint(summary: RunSummary, context: ResumeContext): string | undefined {
  const command = raisedResumeCommand(summary, context);
  if (command !== undefined) return `To resume: ${command}`;
  if (!canResume(summary)) return undefined;
  const hasFolder = existsSync(summary.run.workspace ?? context.cwd);
  const where = hasFolder ? "in its folder" : "in another folder, because its own no longer exists";
  return `To resume ${where}: ${context.program ?? "sheepdog"} run --resume ${summary.sessionId}`;
}

/**
 * Only the last run of a session can be resumed, if it is not a subagent's and neither running nor completed. The model
 * of a demo exists only in the demo.
 */
export function canResume({ state, isLast, run, ended, isDemo }: RunSummary): boolean {
  const isOver = !isLive(state) && state !== "completed";
  const endsAgain = run.reason !== undefined && cannotContinue({ ...ended, reason: run.reason });
  return !isDemo && isLast && isOver && !endsAgain && run.billingSessionId === undefined;
}

/** Whether a new prompt can follow in the session of a run: it is the last one, it has ended, and it is no subagent. */
export function canContinue({ state, isLast, run }: RunSummary): boolean {
  return isLast && !isLive(state) && run.billingSessionId === undefined;
}

function canBeTyped(folder: string): boolean {
  return plainText(folder) === folder && existsSync(folder);
}
