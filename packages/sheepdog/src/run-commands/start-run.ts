import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { CommandResult, StartCommand } from "@sheepdog/web/contract";
import { newSessionId } from "../compose/ids.ts";
import type { CommandContext } from "./command-context.ts";
import { type Program, type SpawnRequest, spawnRun } from "./spawn-run.ts";

/** How a run is started, where it differs from one that a person starts. */
export interface StartOptions extends Pick<SpawnRequest, "isAnswered"> {
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
  const problem = await folderProblem(workspace);
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

/** Why an agent cannot work in a folder. */
export async function folderProblem(folder: string): Promise<string | undefined> {
  if (!isAbsolute(folder)) return `name the folder from the root on; ${folder} is relative.`;
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder ? undefined : `there is no folder ${folder}.`;
}

/** Without an exponent: flags do not accept one. */
export function plainNumber(amount: number): string {
  return amount.toFixed(9).replace(/\.?0+$/, "");
}
