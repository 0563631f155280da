import type { Goal } from "@sheepdog/agent";
import type { ChannelSettings, ReadChannels } from "../../channels/channel-settings.ts";
import { isAsked } from "../../channels/is-asked.ts";
import type { RunOptions } from "../../config/run-options.ts";
import type { Config } from "../../config/schema.ts";
import type { Io } from "../../io.ts";
import { type AgentSetup, readAgentSetup } from "../../saved-runs/agent-setup.ts";
import { sessionOptionsProblem } from "../../saved-runs/choose-session.ts";
import { goalFlags, hasGoalOptions, readGoal } from "./read-goal.ts";
import { readPrompt } from "./read-prompt.ts";

/** Everything that is known about a run before a store or a model is opened. */
export interface RunPlan extends AgentSetup {
  /** Absent when the run resumes a session without a new prompt. */
  readonly prompt: string | undefined;
  readonly goal: Goal | undefined;
  /** The model plans the run. A directed run has a goal. */
  readonly isDirected: boolean;
  readonly attended: boolean;
  /** The user is at a terminal, so questions can be asked. */
  readonly canAsk: boolean;
  /** Where people are told about the run. */
  readonly channels: readonly ChannelSettings[];
  /** There is no terminal: questions go to channels from which people can answer, and to other processes. */
  readonly isAskedRemotely: boolean;
}

export type PlannedRun =
  | { readonly ok: true; readonly plan: RunPlan }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the folder, flags, configuration, prompt and goal, and the session to continue. Looks for no model. */
export async function planRun(words: readonly string[], options: RunOptions, io: Io): Promise<PlannedRun> {
  const hasSession = options.resume !== undefined || options.continue === true;
  const setup = await readAgentSetup(options, io);
  if (!setup.ok) return setup;
  const read = await readPrompt(words, { file: options.file, isOptional: hasSession }, io);
  if (!read.ok) return failure(read.problem);
  const { prompt, note } = read;
  const problem = sessionOptionsProblem({ ...options, prompt });
  if (problem !== undefined) return failure(problem);
  if (prompt === undefined && hasGoalOptions(options))
    return failure(`a resumed run keeps its goal: ${goalFlags} need a prompt`);
  const goal = prompt === undefined ? undefined : await readGoal(options, prompt, io.cwd);
  if (goal !== undefined && "problems" in goal) return failure(...goal.problems);
  const { channels, problems } = await usableChannels(setup.setup.config, io);
  const notes = [...setup.setup.notes, ...problems, ...(note === undefined ? [] : [note])];
  const isDirected = options.director === true;
  const attended = attendance(options, { ...setup.setup, channels }, io);
  const couldAsk = options.unattended === undefined && hasTerminal(options, io);
  const isAttendedSoFar = setup.setup.continued?.start?.isAttended;
  return {
    ok: true,
    plan: {
      ...setup.setup,
      notes: [...notes, ...attendanceNotes(isAttendedSoFar, attended.attended, couldAsk)],
      prompt,
      goal,
      isDirected,
      channels,
      ...attended,
    },
  };
}

function failure(...problems: readonly string[]): PlannedRun {
  return { ok: false, problems };
}

/** Channels are read only if the configuration has any: most runs load nothing of them. */
async function usableChannels(config: Config, { env }: Io): Promise<ReadChannels> {
  if (Object.keys(config.channels).length === 0) return { channels: [], problems: [] };
  return (await import("../../channels/channel-settings.ts")).readChannels(config, env);
}

/** Questions that only channels carry do not wait without an end: the message may never arrive. */
const channelTimeoutSecs = 900;

function attendance(
  options: RunOptions,
  { config, channels }: Pick<RunPlan, "config" | "channels">,
  io: Io,
): Pick<RunPlan, "attended" | "canAsk" | "isAskedRemotely" | "config"> {
  const { agent, security } = config;
  if (options.answers === "remote") return { attended: true, canAsk: false, isAskedRemotely: true, config };
  const isTerminal = hasTerminal(options, io);
  const isReachable = channels.some((channel) => isAsked(channel, "approval") || isAsked(channel, "question"));
  const attended = options.unattended === undefined && (agent.attended ?? (isTerminal || isReachable));
  const isAskedRemotely = attended && !isTerminal && isReachable;
  const secs = security.approval_timeout_secs || (isAskedRemotely ? channelTimeoutSecs : 0);
  return {
    attended,
    canAsk: attended && isTerminal,
    isAskedRemotely,
    config: { ...config, security: { ...security, approval_timeout_secs: secs } },
  };
}

function hasTerminal({ json, streamJson }: RunOptions, { stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && json === undefined && streamJson === undefined;
}

/** What changes about asking the user, compared with the run that is continued; or how to be asked, if `couldAsk`. */
function attendanceNotes(wasAttended: boolean | undefined, attended: boolean, couldAsk: boolean): readonly string[] {
  if (wasAttended === false && !attended && couldAsk)
    return ["You are not asked, as in the run before. To be asked: --set agent.attended=true"];
  if (wasAttended === undefined || wasAttended === attended) return [];
  return [
    attended
      ? "The run was unattended, and is attended from now on."
      : "The run was attended, and is unattended from now on: calls that need approval are refused.",
  ];
}
