import type { CommandResult } from "@sheepdog/web/contract";
import { findRun } from "../saved-runs/find-run.ts";
import { canResume, raisedFlags } from "../saved-runs/resume-command.ts";
import { describeState, isLive } from "../saved-runs/run-state.ts";
import type { CommandContext } from "./command-context.ts";
import { type Program, type SpawnRequest, spawnRun } from "./spawn-run.ts";
import { folderProblem, plainNumber } from "./start-run.ts";

export interface ResumeRequest extends Pick<SpawnRequest, "isAnswered"> {
  readonly id: string;
  readonly maxCostUsd: number | undefined;
  /** Whether the limit that ended the run is raised, as its resume command does; default: true. */
  readonly raisesLimits?: boolean;
}

/** Resumes a run in a process of its own, with the flags of its resume command. Undefined: the run is unknown. */
export async function resumeRun(
  context: CommandContext,
  program: Program,
  { id, maxCostUsd, raisesLimits = true, ...spawn }: ResumeRequest,
): Promise<CommandResult | undefined> {
  const found = await findRun(context.stores, id, context.now());
  if (!found.ok) return undefined;
  const { summary } = found;
  const { sessionId, run, state } = summary;
  const refuse = (reason: string) => ({ isDone: false, text: `The run was not resumed: ${reason}`, runId: run.runId });
  if (isLive(state)) return refuse("it is running.");
  if (!canResume(summary))
    return refuse(`its state is "${describeState(state, run.reason)}". Start a new run instead.`);
  const workspace = run.workspace ?? context.cwd;
  const problem = await folderProblem(workspace);
  if (problem !== undefined) return refuse(problem);
  const loaded = await context.loadConfig(workspace);
  if (!loaded.ok) return refuse(loaded.problems.join("; "));
  const raised = raisesLimits ? raisedFlags(summary, loaded.config) : [];
  const flags = raised.filter(({ key }) => maxCostUsd === undefined || key !== "budget.per_run_limit_cents");
  const options = [
    `--resume=${sessionId}`,
    `--cwd=${workspace}`,
    ...flags.flatMap(({ flag }) => flag.split(" ")),
    ...(maxCostUsd === undefined ? [] : [`--max-cost=${plainNumber(maxCostUsd)}`]),
  ];
  return spawnRun(context, program, {
    ...spawn,
    options,
    prompt: undefined,
    cwd: workspace,
    sessionId,
    startedText: "The run has been resumed.",
  });
}
