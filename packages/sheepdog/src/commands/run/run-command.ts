import type { Run } from "@sheepdog/agent";
import { type Agent, openAgent } from "../../compose/open-agent.ts";
import { receiveMessages } from "../../control/index.ts";
import { exitCode } from "../../exit-code.ts";
import type { Io } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { EndedRun } from "../../saved-runs/raised-limit.ts";
import { type ChosenSession, chooseSession } from "./choose-session.ts";
import { doneLine, lastLine } from "./last-line.ts";
import { noModelLines } from "./no-model.ts";
import { createPace } from "./pace.ts";
import { type Plan, planRun } from "./plan-run.ts";
import { createProgress, type Progress } from "./progress.ts";
import { focusOf } from "./read-goal.ts";
import { resultDocument, unbegunDocument } from "./result-document.ts";
import { resumeCommandLine } from "./resume-command-line.ts";
import type { Room } from "./room.ts";
import type { RunOptions } from "./run-options.ts";
import { type Asker, terminalAsker } from "./terminal-asker.ts";
import { answerViewer, documentViewer, eventsViewer, streamingViewer, type Viewer } from "./viewer.ts";
import { failureOf, type Watched, watchRun } from "./watch-run.ts";

/** Works a prompt off and says how it ended. `leave` ends the process at once. */
export async function runCommand(
  words: readonly string[],
  options: RunOptions,
  io: Io,
  leave: (code: number) => void = process.exit,
): Promise<number> {
  const isShown = options.quiet === undefined && (io.stderr.isTTY === true || options.verbose === true);
  const progress = createProgress(io, { verbose: options.verbose === true, isShown });
  const room: Room = { options, io, progress, viewer: viewerFor(options, io, progress), pace: createPace(), leave };
  const planned = await planRun(words, options, io);
  if (!planned.ok) return refuse(room, planned.problems, exitCode.usage);
  const { plan } = planned;
  const asker = plan.canAsk ? terminalAsker(io, progress, room.pace.caughtUp) : undefined;
  const opened = await openAgent({
    ...plan,
    env: io.env,
    cwd: plan.workspace,
    ...(asker === undefined ? {} : { approve: asker.approve, ask: asker.ask }),
    ...(plan.prompt === undefined ? {} : { about: plan.prompt }),
    ...(plan.goal === undefined ? {} : { focus: focusOf(plan.goal) }),
  });
  if (!opened.ok) return refuse(room, opened.isModelMissing ? noModelLines : opened.problems, opened.exitCode);
  try {
    return await workOff(room, plan, opened.agent, asker);
  } finally {
    asker?.close();
    await opened.agent.close();
  }
}

function viewerFor(options: RunOptions, io: Io, progress: Progress): Viewer {
  if (options.json) return documentViewer(io, progress);
  if (options.streamJson) return eventsViewer(io);
  return io.stdout.isTTY === true ? streamingViewer(io, progress) : answerViewer(io, progress);
}

/** Says why there is no run. */
async function refuse({ progress, viewer }: Room, problems: readonly string[], code: number): Promise<number> {
  for (const problem of problems)
    await progress.line(problem.startsWith(" ") ? problem : `sheepdog: ${plainText(problem)}`);
  const unwritten = await failureOf(viewer.end(unbegunDocument(problems.map(plainText).join("\n"), code)));
  if (unwritten !== undefined && !unwritten.isReaderGone) await progress.line(`sheepdog: ${unwritten.message}`);
  return code;
}

async function workOff(room: Room, plan: Plan, agent: Agent, asker: Asker | undefined): Promise<number> {
  const { options, progress } = room;
  const session = await chooseSession(agent.runtime.stores, {
    ...plan,
    resume: options.resume,
    continue: options.continue,
    fork: options.fork,
  });
  if (!session.ok) return refuse(room, [session.problem], exitCode.usage);
  if (options.quiet === undefined)
    for (const note of [...plan.notes, ...agent.notes, ...session.notes])
      await progress.line(`sheepdog: ${plainText(note)}`);
  const run = await begin(agent, plan, session);
  if (typeof run === "string") return refuse(room, [run], exitCode.usage);
  const resume = commandThatGoesOn(options, plan, agent);
  const stopObeying = receiveMessages(plan.home, run);
  const watched = await watchRun(room, run, {
    asker,
    resume: resume({ sessionId: run.sessionId, reason: "internal_error" }),
  }).finally(stopObeying);
  const isKept = await isKnown(agent, run);
  const unasked = asker === undefined ? watched.refused : 0;
  return tell(room, agent, { ...watched, refused: unasked, resume: isKept ? resume(watched.result) : undefined });
}

/** The run, or a sentence about why the session cannot go on. */
async function begin(
  { runtime }: Agent,
  { prompt = "", goal }: Plan,
  { sessionId, goesOn }: Extract<ChosenSession, { ok: true }>,
): Promise<Run | string> {
  if (!goesOn)
    return goal === undefined ? runtime.run(sessionId, prompt) : runtime.runWithGoal(sessionId, prompt, goal);
  try {
    return await runtime.resume(sessionId);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

type GoOn = (ended: EndedRun) => string | undefined;

/** Where nothing is kept, none does. */
function commandThatGoesOn(
  options: RunOptions,
  { config, workspace }: Plan,
  { isPriced, maxContextTokens }: Agent,
): GoOn {
  if (!config.agent.checkpoint.enabled) return () => undefined;
  return (ended) =>
    resumeCommandLine(ended, {
      config,
      isPriced,
      maxContextTokens,
      options,
      ...(options.cwd === undefined ? {} : { cwd: workspace }),
    });
}

/** A run that never came to its session has left nothing to go on with. */
async function isKnown({ runtime }: Agent, { sessionId, runId }: Run): Promise<boolean> {
  try {
    return (await runtime.stores.sessions.load(sessionId)).runs.some((run) => run.runId === runId);
  } catch {
    return true; // the disk that failed may be back by then
  }
}

/** The end of it: what was asked for on stdout, then why it ended and how it goes on. */
async function tell(
  { options, io, progress, viewer }: Room,
  { model }: Agent,
  { result, failure, refused, resume }: Watched & { readonly resume: string | undefined },
): Promise<number> {
  const isDone = result.state === "completed";
  const unwritten =
    failure ?? (await failureOf(viewer.end(resultDocument(result, { model, resume: isDone ? undefined : resume }))));
  await progress.clear();
  if (refused > 0 && options.quiet === undefined)
    await progress.line(
      `sheepdog: refused ${counted(refused, "call")}, since nobody was there to be asked: sheepdog show ${result.runId}`,
    );
  if (!isDone) await progress.line(`sheepdog: ${lastLine(result, { resume, isShown: progress.isShown })}`);
  else if (options.quiet === undefined && io.stderr.isTTY === true)
    await progress.line(doneLine(result, resume !== undefined), "dim");
  const isAskedToEnd = result.exitCode === exitCode.terminated; // a terminal that is gone cannot be written to
  if (unwritten === undefined || unwritten.isReaderGone || isAskedToEnd) return result.exitCode;
  await progress.line(`sheepdog: ${unwritten.message}`);
  return exitCode.failed;
}
