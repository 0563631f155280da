import type { CommandResult, RunCommand } from "@sheepdog/web/contract";
import type { ControlMessage } from "../../control/control-message.ts";
import { findRun } from "../../saved-runs/find-run.ts";
import { resumeCommand } from "../../saved-runs/resume-command.ts";
import { isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import type { ViewContext } from "../view-context.ts";
import { commandResult, type EndedRun } from "./command-text.ts";

/** Sends a command to a run of any process, and says what came of it. Undefined: the run is unknown. */
export async function sendCommand(
  context: ViewContext,
  id: string,
  command: RunCommand,
): Promise<CommandResult | undefined> {
  const found = await findRun(context.stores, id, context.now());
  if (!found.ok) return recordingResult(context, id);
  const { run, state } = found.summary;
  const { runId } = run;
  if (!isLive(state))
    return commandResult(command, { type: "ended" }, { runId, ended: endedRun(found.summary, context) });
  const outcome = await context.port.send(await receiver(context, found.summary), controlMessage(command));
  // It may have ended while the command was sent.
  const latest = outcome.type === "applied" ? found : await findRun(context.stores, runId, context.now());
  const isEnded = latest.ok && !isLive(latest.summary.state);
  const ended = latest.ok ? endedRun(latest.summary, context) : { endedAt: undefined, canResume: false };
  return commandResult(command, isEnded ? { type: "ended" } : outcome, { runId, ended });
}

/** A recording of another agent takes no commands. */
async function recordingResult({ recordings }: ViewContext, id: string): Promise<CommandResult | undefined> {
  if ((await recordings.list()).every((entry) => entry.id !== id)) return undefined;
  return { isDone: false, text: "This is a recording of another agent. It takes no commands.", runId: id };
}

/** The run whose process receives commands: that of a subagent is the run that started it. */
async function receiver({ stores }: ViewContext, { run }: RunSummary): Promise<string> {
  if (run.billingSessionId === undefined) return run.runId;
  const { runs } = await stores.sessions.load(run.billingSessionId);
  return runs.at(-1)?.runId ?? run.runId;
}

function endedRun(summary: RunSummary, { cwd }: ViewContext): EndedRun {
  return { endedAt: summary.run.endedAt, canResume: resumeCommand(summary, { cwd }) !== undefined };
}

/** A command in the units of the guardian: nano-dollars and milliseconds. */
function controlMessage(command: RunCommand): ControlMessage {
  if (command.type !== "limit") return command as ControlMessage; // temporary: the other messages arrive soon
  const { limit, stop } = command;
  return { type: "limit", limit, stop: Math.round(stop * unit[limit]) };
}

const unit = { "run-cost": 1e9, "run-tokens": 1, turns: 1, time: 1_000 } as const;
