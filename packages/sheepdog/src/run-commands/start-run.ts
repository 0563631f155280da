import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { CommandResult, StartCommand } from "@sheepdog/web/contract";
import { newSessionId } from "../compose/ids.ts";
import { plainNumber } from "../render/plain-number.ts";
import type { CommandContext } from "./command-context.ts";
import { type Program, type SpawnRequest, spawnRun } from "./spawn-run.ts";

/** How a run is started, where it differs from one that a person starts. */
export interface StartOptions extends Pick<SpawnRequest, "isAnswered" | "server"> {
  readonly sessionId?: string;
}

/** Starts a run with a prompt in a new session. */
export async function startRun(
  context: CommandContext,
  program: Program,
  start: StartCommand,
  { sessionId = newSessionId(), ...spawn }: StartOptions = {},
): Promise<CommandResult> {
  const { workspace, prompt, model, maxCostUsd, maxTurns, goal } = start;
  const problem = costProblem(maxCostUsd) ?? (await folderProblem(workspace));
  if (problem !== undefined) return { isDone: false, text: `The run was not started: ${problem}`, runId: null };
  const options = [
    `--session-id=${sessionId}`,
    `--cwd=${workspace}`,
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(maxCostUsd === undefined ? [] : [`--max-cost=${plainNumber(maxCostUsd)}`]),
    ...(maxTurns === undefined ? [] : [`--max-turns=${maxTurns}`]),
    ...(goal === undefined ? [] : [`--goal=${goal}`]),
  ];
  return spawnRun(context, program, {
    ...spawn,
    options,
    prompt,
    cwd: workspace,
    sessionId,
    startedText: "The run has started.",
  });
}

/** Why an amount cannot be the limit of a run's cost. */
export function costProblem(maxCostUsd: number | undefined): string | undefined {
  if (maxCostUsd === undefined || Number(plainNumber(maxCostUsd)) > 0) return undefined;
  return "the limit of its cost is less than a billionth of a dollar.";
}

/** Why an agent cannot work in a folder. */
export async function folderProblem(folder: string): Promise<string | undefined> {
  if (!isAbsolute(folder)) return `name the folder from the root on; ${folder} is relative.`;
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder ? undefined : `there is no folder ${folder}.`;
}
