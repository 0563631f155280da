import { existsSync } from "node:fs";
import { withRunSettings } from "../config/run-settings.ts";
import type { Config } from "../config/schema.ts";
import { readStart } from "./continued-session.ts";
import { cannotContinue, type RaisedLimit, raiseLimit } from "./raised-limit.ts";
import { isLive } from "./run-state.ts";
import type { RunSummary } from "./run-summary.ts";

/** The folder in which the user types the command, and its configuration. */
export interface ResumeContext {
  readonly cwd: string;
  readonly config: Config;
  /** How the user calls the program; by default `sheepdog`. */
  readonly program?: string;
}

/** The command that resumes a session. What its last run was started with is saved; only a raised limit is a flag. */
export function resumeLine(
  sessionId: string,
  {
    program = "sheepdog",
    raised,
  }: { readonly program?: string; readonly raised?: Pick<RaisedLimit, "flag"> | undefined },
): string {
  return [`${program} run --resume ${sessionId}`, ...(raised === undefined ? [] : [raised.flag])].join(" ");
}

/** The command that resumes a run, with a flag for a limit; undefined if it cannot be resumed or its folder is gone. */
export function resumeCommand(
  summary: RunSummary,
  { cwd, program }: Pick<ResumeContext, "cwd" | "program">,
  flag?: string,
): string | undefined {
  const { workspace = cwd } = summary.run;
  if (!canResume(summary) || !existsSync(workspace)) return undefined;
  return resumeLine(summary.sessionId, {
    ...(program === undefined ? {} : { program }),
    raised: flag === undefined ? undefined : { flag },
  });
}

/** The same command with a higher value for the limit that ended the run: the old value would end it again. */
export function raisedResumeCommand(summary: RunSummary, context: ResumeContext): string | undefined {
  return resumeCommand(summary, context, raisedLimit(summary, context.config)?.flag);
}

/** The flag that raises the limit which ended a run, above what the run was started with. */
export function raisedLimit(
  { sessionId, run, costNanoUsd, ended }: RunSummary,
  configNow: Config,
): RaisedLimit | undefined {
  if (run.reason === undefined) return undefined;
  const start = readStart(run.spec, {});
  const config = start === undefined ? configNow : withRunSettings(configNow, start.settings);
  return raiseLimit({ ...ended, sessionId, reason: run.reason }, { config, isPriced: costNanoUsd !== null });
}

/** A sentence that tells the user how to resume a run; undefined if it cannot be resumed. */
export function resumeHint(summary: RunSummary, context: ResumeContext): string | undefined {
  const command = raisedResumeCommand(summary, context);
  if (command !== undefined) return `To resume: ${command}`;
  if (!canResume(summary)) return undefined;
  const another = resumeLine(summary.sessionId, { ...context, raised: { flag: "--cwd <folder>" } });
  return `To resume in another folder, because its own no longer exists: ${another}`;
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
