import type { CommandResult, RunCommand } from "@sheepdog/web/contract";
import { findRun } from "../saved-runs/find-run.ts";
import { resumeCommand } from "../saved-runs/resume-command.ts";
import { isLive } from "../saved-runs/run-state.ts";
import type { RunSummary } from "../saved-runs/run-summary.ts";
import type { CommandContext } from "./command-context.ts";
import { commandResult, type EndedRun } from "./command-text.ts";
import { controlMessage } from "./control-message.ts";
import { receivingRunId } from "./receiving-run.ts";
import { recordingResult } from "./recording-result.ts";

/** Sends a command to a run of any process, and says what came of it. Undefined: the run is unknown. */
export async function sendCommand(
  context: CommandContext,
  id: string,
  command: RunCommand,
): Promise<CommandResult | undefined> {
  const found = await findRun(context.stores, id, context.now());
  if (!found.ok) return recordingResult(context, id);
  const { run, state } = found.summary;
  const { runId } = run;
  const before = endedRun(found.summary, context);
  if (!isLive(state)) return commandResult(command, { type: "ended" }, { runId, ended: before });
  const message = controlMessage(command);
  if (message.type === "refused") return commandResult(command, message, { runId, ended: before });
  if (run.billingSessionId !== undefined && !isAnswer(command))
    return commandResult(command, { type: "refused", reason: subagentReason }, { runId, ended: before });
  const outcome = await context.port.send(await receivingRunId(context, run), message);
  // It may have ended while the command was sent.
  const latest = outcome.type === "applied" ? found : await findRun(context.stores, runId, context.now());
  const isEnded = latest.ok && !isLive(latest.summary.state);
  const ended = latest.ok ? endedRun(latest.summary, context) : { endedAt: undefined, canResume: false };
  return commandResult(command, isEnded ? { type: "ended" } : outcome, { runId, ended });
}

const subagentReason = "this is a run of a subagent. Send it to the run that started it.";

/** Questions of subagents are answered at the process that runs them. */
function isAnswer({ type }: RunCommand): boolean {
  return type === "approval" || type === "answer" || type === "reply";
}

function endedRun(summary: RunSummary, { cwd }: CommandContext): EndedRun {
  return { endedAt: summary.run.endedAt, canResume: resumeCommand(summary, { cwd }) !== undefined };
}
