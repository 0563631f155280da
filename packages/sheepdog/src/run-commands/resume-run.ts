import type { CommandResult, resumeSchema } from "@sheepdog/web/contract";
import type { z } from "zod";
import { plainNumber } from "../render/plain-number.ts";
import { readStart } from "../saved-runs/continued-session.ts";
import { findRun } from "../saved-runs/find-run.ts";
import { canContinue, canResume, raisedLimit } from "../saved-runs/resume-command.ts";
import { describeState, isLive } from "../saved-runs/run-state.ts";
import type { CommandContext } from "./command-context.ts";
import { recordingResult } from "./recording-result.ts";
import { type Program, type SpawnRequest, spawnRun } from "./spawn-run.ts";
import { costProblem, folderProblem } from "./start-run.ts";

/** A run to resume, with what the page of the server or another agent asks for. */
export interface ResumeRequest extends z.infer<typeof resumeSchema>, Pick<SpawnRequest, "isAnswered" | "server"> {
  readonly id: string;
  /** Whether the limit that ended the run is raised, as its resume command does; default: true. */
  readonly raisesLimits?: boolean;
}

/**
 * Resumes a run in a process of its own, as it was started, with the flag of its resume command; with a prompt, a new
 * run continues its session. An unattended run stays unattended. Undefined: the run is unknown.
 */
export async function resumeRun(
  context: CommandContext,
  program: Program,
  { id, maxCostUsd, prompt, raisesLimits = true, ...spawn }: ResumeRequest,
): Promise<CommandResult | undefined> {
  const found = await findRun(context.stores, id, context.now());
  if (!found.ok) return recordingResult(context, id);
  const { summary } = found;
  const { sessionId, run, state } = summary;
  const refuse = (reason: string) => ({ isDone: false, text: `The run was not resumed: ${reason}`, runId: run.runId });
  if (isLive(state)) return refuse("it is running.");
  if (!(prompt === undefined ? canResume(summary) : canContinue(summary)))
    return refuse(`its state is "${describeState(summary)}". Start a new run instead.`);
  const workspace = run.workspace ?? context.cwd;
  const problem = costProblem(maxCostUsd) ?? (await folderProblem(workspace));
  if (problem !== undefined) return refuse(problem);
  const loaded = await context.loadConfig(workspace);
  if (!loaded.ok) return refuse(loaded.problems.join("; "));
  const raised = raisesLimits ? raisedLimit(summary, loaded.config) : undefined;
  const isCostGiven = maxCostUsd !== undefined && raised?.key === "budget.per_run_limit_cents";
  const options = [
    `--resume=${sessionId}`,
    `--cwd=${workspace}`,
    ...(raised === undefined || isCostGiven ? [] : raised.flag.split(" ")),
    ...(maxCostUsd === undefined ? [] : [`--max-cost=${plainNumber(maxCostUsd)}`]),
  ];
  const resuming = resumingSessions(context);
  if (resuming.has(sessionId)) return refuse("it is being resumed already.");
  resuming.add(sessionId);
  try {
    const startedText = prompt === undefined ? "The run has been resumed." : "A new run continues the session.";
    const isUnattended = readStart(run.spec, {})?.isAttended === false;
    const answers = isUnattended ? { isAnswered: false } : {};
    return await spawnRun(context, program, {
      ...spawn,
      ...answers,
      options,
      prompt,
      cwd: workspace,
      sessionId,
      startedText,
    });
  } finally {
    resuming.delete(sessionId);
  }
}

const resumingByStores = new WeakMap<CommandContext["stores"], Set<string>>();

/** The sessions whose runs are being resumed by this server. */
function resumingSessions({ stores }: CommandContext): Set<string> {
  const sessions = resumingByStores.get(stores) ?? new Set();
  resumingByStores.set(stores, sessions);
  return sessions;
}
