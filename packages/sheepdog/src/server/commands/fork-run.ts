import { forkSession } from "@sheepdog/agent";
import type { CommandResult } from "@sheepdog/web/contract";
import { newSessionId } from "../../compose/ids.ts";
import { resolveLogFolder } from "../../compose/log-folder.ts";
import { openStores } from "../../compose/open-stores.ts";
import { programName } from "../../program-name.ts";
import { recordingResult } from "../../run-commands/recording-result.ts";
import { type Program, spawnRun } from "../../run-commands/spawn-run.ts";
import { folderProblem } from "../../run-commands/start-run.ts";
import { readStart } from "../../saved-runs/continued-session.ts";
import { findRun } from "../../saved-runs/find-run.ts";
import type { ViewContext } from "../view-context.ts";

/**
 * Copies the session of a run into a new one, and runs a prompt there if there is one. Undefined: the run is unknown.
 */
export async function forkRun(
  context: ViewContext,
  program: Program,
  { id, prompt }: { readonly id: string; readonly prompt: string | undefined },
): Promise<CommandResult | undefined> {
  const { stores, now, env } = context;
  const found = await findRun(stores, id, now());
  if (!found.ok) return recordingResult(context, id);
  const { sessionId: from, run } = found.summary;
  const refuse = (reason: string) => ({ isDone: false, text: `The session was not copied: ${reason}`, runId: null });
  const workspace = run.workspace ?? context.cwd;
  const problem = prompt === undefined ? undefined : await folderProblem(workspace);
  if (problem !== undefined) return refuse(problem);
  const sessionId = newSessionId();
  try {
    await fork(context, { from, to: sessionId, at: now() });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  if (prompt === undefined) {
    const command = `${programName(env)} run --resume ${sessionId} "…"`;
    return { isDone: true, text: `The session was copied. Continue in the copy: ${command}`, runId: null };
  }
  return spawnRun(context, program, {
    isAnswered: readStart(run.spec, {})?.isAttended !== false, // an unattended session stays so
    options: [`--resume=${sessionId}`, `--cwd=${workspace}`],
    prompt,
    cwd: workspace,
    sessionId,
    startedText: "A run has started in a copy of the session.",
  });
}

/** The stores of a server are only read. */
async function fork({ home, cwd, loadConfig }: ViewContext, copy: Parameters<typeof forkSession>[1]): Promise<void> {
  const loaded = await loadConfig(cwd);
  const stores = await openStores(home, loaded.ok ? resolveLogFolder(loaded.config, home) : home.logDir);
  try {
    await forkSession(stores, copy);
  } finally {
    await stores.close();
  }
}
