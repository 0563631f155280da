import type { RunRow } from "@sheepdog/web/contract";
import { programName } from "../../../program-name.ts";
import { type ResumeContext, raisedResumeCommand, resumeHint, resumeLine } from "../../../saved-runs/resume-command.ts";
import type { RunSummary } from "../../../saved-runs/run-summary.ts";
import type { ViewContext } from "../../view-context.ts";

/** Adds the command that resumes a run to its row. */
export function withResume(row: RunRow, summary: RunSummary, context: ResumeContext | undefined): RunRow {
  if (context === undefined || row.kind === "recording") return row;
  const command = raisedResumeCommand(summary, context);
  if (command !== undefined) return { ...row, resumeCommand: command };
  if (resumeHint(summary, context) === undefined) return row;
  return {
    ...row,
    resumeCommand: resumeLine(summary.sessionId, context),
    resumeProblem: `Its folder ${summary.run.workspace ?? ""} no longer exists. Resume it in another folder.`,
  };
}

/** Where commands are typed: the folder of the server. Undefined if its configuration is invalid. */
export async function resumeContextOf({ cwd, env, loadConfig }: ViewContext): Promise<ResumeContext | undefined> {
  const loaded = await loadConfig(cwd);
  return loaded.ok ? { cwd, config: loaded.config, program: programName(env) } : undefined;
}
