import type { Run } from "@sheepdog/agent";
import type { NotifyOptions } from "../../channels/notify-about-run.ts";
import { noModelLines } from "../../compose/no-model-lines.ts";
import { type Agent, type OpenAgentOptions, openAgent } from "../../compose/open-agent.ts";
import { createPermissionRules } from "../../compose/permission-rules.ts";
import type { RunOptions } from "../../config/run-options.ts";
import {
  type Asker,
  createOpenQuestions,
  createUnreachableQuestions,
  type OpenQuestions,
  receiveMessages,
  type UnreachableQuestions,
  withRemoteAnswers,
} from "../../control/index.ts";
import { writeStartFile } from "../../control/start-file.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, messageText, ringBell } from "../../io.ts";
import { programName } from "../../program-name.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { wrapColumnsOf } from "../../render/terminal/style.ts";
import { marksFor } from "../../render/timeline/marks.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { type ChosenSession, chooseSession, type SessionRequest } from "../../saved-runs/choose-session.ts";
import { cannotContinue, type EndedRun, raiseLimit } from "../../saved-runs/raised-limit.ts";
import { resumeLine } from "../../saved-runs/resume-command.ts";
import { createEventReader } from "./event-reader.ts";
import { planRun, type RunPlan } from "./plan-run.ts";
import { createProgress, type Progress } from "./progress.ts";
import { notStartedDocument, resultDocument } from "./result-document.ts";
import { completedLines, refusedLines, stoppedLines } from "./summary-line.ts";
import { createTerminalAsker, type TerminalAsker } from "./terminal-asker.ts";
import { createTurnLog } from "./turn-log.ts";
import { answerViewer, documentViewer, eventsViewer, streamingViewer, type Viewer, withTurnLog } from "./viewer.ts";
import { outputFailure, type RunOutput, type WatchedRun, watchRun } from "./watch-run.ts";

/** Runs a prompt and resolves with the exit code. `exit` ends the process at once. */
export async function runCommand(
  words: readonly string[],
  options: RunOptions,
  io: Io,
  exit: (code: number) => void = process.exit,
): Promise<number> {
  const hasItems = options.quiet === undefined && (io.stderr.isTTY === true || options.verbose === true);
  const progress = createProgress(io, { verbose: options.verbose === true, isShown: hasItems });
  const hasLog = options.quiet === undefined && options.streamJson === undefined && !hasItems;
  const plainViewer = viewerFor(options, io, progress);
  const viewer = hasLog ? withTurnLog(plainViewer, createTurnLog(marksFor(io.env)), progress.line) : plainViewer;
  const output: RunOutput = {
    options,
    io,
    progress,
    viewer,
    events: createEventReader(),
    exit(code) {
      void progress.clear(); // the process ends next
      exit(code);
    },
  };
  const planned = await planRun(words, options, io);
  if (!planned.ok) return reportProblems(output, planned.problems, exitCode.usage);
  const { plan } = planned;
  const rules = createPermissionRules(plan.config, plan.home, io.env);
  const { caughtUp } = output.events;
  const asker = plan.canAsk
    ? createTerminalAsker({ ...io, cwd: plan.workspace }, progress, { caughtUp, rules })
    : undefined;
  const questions = createOpenQuestions();
  const unreachable = createUnreachableQuestions();
  const opened = await openAgent({
    ...plan,
    env: io.env,
    cwd: plan.workspace,
    rules: rules.list,
    ...askedBy({ plan, asker, questions, unreachable, progress }),
    ...(asker === undefined ? {} : { approveTools: approveToolsWith(asker) }),
    say: (sentence) => void (options.quiet === undefined && progress.message(plainText(sentence))),
    ...(plan.prompt === undefined ? {} : { about: plan.prompt }),
  });
  if (!opened.ok) {
    const problems = [...opened.problems, ...modelHint(plan)];
    return reportProblems(output, opened.isModelMissing ? noModelLines : problems, opened.exitCode);
  }
  try {
    return await executeRun(output, plan, { agent: opened.agent, asker, questions, unreachable });
  } finally {
    asker?.close();
    await opened.agent.close();
  }
}

interface AskedBy {
  readonly plan: RunPlan;
  readonly asker: TerminalAsker | undefined;
  readonly questions: OpenQuestions;
  readonly unreachable: UnreachableQuestions;
  readonly progress: Progress;
}

/** Asks in the terminal, if there is one, and lets other processes answer. Other runs ask nobody. */
function askedBy({ plan, asker, questions, unreachable, progress }: AskedBy): Partial<Asker> {
  if (asker === undefined) return plan.isAskedRemotely ? unreachable.guard(withRemoteAnswers({ questions })) : {};
  const say = (sentence: string) => void progress.line(`  ${plainText(sentence)}`, "dim");
  return withRemoteAnswers({ questions, terminal: asker, say });
}

/** Asks about new and changed tools of MCP servers. */
function approveToolsWith(asker: TerminalAsker): NonNullable<OpenAgentOptions["approveTools"]> {
  return async (review) => {
    const { reviewLines } = await import("../../compose/mcp/review-lines.ts");
    const choices = ["Use these tools", "Leave them out"];
    const question = { callId: "mcp", text: reviewLines(review).join("\n"), choices };
    const answer = (await asker.ask(question, new AbortController().signal)) ?? "";
    return answer === choices[0] || /^y(?:es)?$/i.test(answer);
  };
}

function viewerFor(options: RunOptions, io: Io, progress: Progress): Viewer {
  if (options.json) return documentViewer(io, progress);
  if (options.streamJson) return eventsViewer(io);
  return io.stdout.isTTY === true ? streamingViewer(io, progress) : answerViewer(io, progress);
}

/** Whether stderr shows the interventions of the run. */
function isShownOn({ quiet, streamJson }: RunOptions): boolean {
  return quiet === undefined && streamJson === undefined;
}

/** Reports why the run did not start. */
async function reportProblems(
  { io, progress, viewer }: RunOutput,
  problems: readonly string[],
  code: number,
): Promise<number> {
  for (const problem of problems)
    await (problem.startsWith(" ") ? progress.line(messageText(io, problem)) : progress.message(plainText(problem)));
  const failure = await outputFailure(viewer.end(notStartedDocument(problems.map(plainText).join("\n"), code)));
  if (failure !== undefined && !failure.isReaderGone) await progress.message(failure.message);
  return code;
}

interface ReadyAgent {
  readonly agent: Agent;
  readonly asker: TerminalAsker | undefined;
  readonly questions: OpenQuestions;
  readonly unreachable: UnreachableQuestions;
}

async function executeRun(
  output: RunOutput,
  plan: RunPlan,
  { agent, asker, questions, unreachable }: ReadyAgent,
): Promise<number> {
  const { options, progress, io } = output;
  const session = await chooseSession(agent.runtime.stores, sessionRequest(plan, options));
  if (!session.ok) return reportProblems(output, [session.problem], exitCode.usage);
  if (isShownOn(options))
    for (const note of agent.addressNotes)
      for (const line of plainLines(`sheepdog: ${plainText(note)}`, wrapColumnsOf(io.stderr, io.env)))
        await progress.line(line);
  if (options.quiet === undefined)
    for (const note of [...plan.notes, ...agent.notes, ...session.notes]) await progress.message(plainText(note));
  const notify = await loadNotifier(output, plan);
  const run = await startRun(agent, plan, session);
  if (typeof run === "string") return reportProblems(output, [run], exitCode.usage);
  if (options.startFile !== undefined) await writeStartFile(options.startFile, run.runId);
  const resumeCommand = resumeCommandFor(output, plan, agent);
  const stopReceiving = receiveMessages(plan.home, run, { questions, bus: agent.runtime.bus });
  const stopNotifying = notify(run, { bus: agent.runtime.bus, resumeCommand, onUnreachable: unreachable.report });
  const watched = await watchRun(output, run, {
    asker,
    resume: resumeCommand({ sessionId: run.sessionId, reason: "broken_off" }),
  }).finally(() => {
    stopNotifying();
    stopReceiving();
  });
  const resume = (await isSaved(agent, run)) ? resumeCommand(watched.result) : undefined;
  return reportEnd(output, agent, { ...watched, isAsked: asker !== undefined, resume });
}

/** Starts to tell people about a run. Returns a function that stops it. */
type NotifyPeople = (run: Run, known: Pick<NotifyOptions, "bus" | "resumeCommand" | "onUnreachable">) => () => void;

/** Loads what tells people, if the configuration has channels. */
async function loadNotifier(
  { io, progress, options: { answers } }: RunOutput,
  { channels, home, workspace, canAsk, isAskedRemotely }: RunPlan,
): Promise<NotifyPeople> {
  if (channels.length === 0) return () => () => {};
  const { notifyAboutRun } = await import("../../channels/notify-about-run.ts");
  // With a terminal, or if another process can answer, a question that reaches no channel still waits.
  const isOnlyChannel = !canAsk && answers === undefined;
  const { waitingEvents, waitingLine } = await import("./waiting-line.ts");
  return (run, { onUnreachable, ...known }) => {
    const stopSaying = !isAskedRemotely
      ? () => {}
      : known.bus.subscribe({
          types: waitingEvents,
          listener(event) {
            const line = waitingLine(event, channels);
            if (line !== undefined) void progress.message(line);
          },
        });
    const stopNotifying = notifyAboutRun(run, {
      ...known,
      ...(isOnlyChannel && onUnreachable !== undefined ? { onUnreachable } : {}),
      home,
      env: io.env,
      channels,
      workspace,
      isWatched: canAsk,
      program: programName(io.env),
      bell: () => ringBell(io.stderr),
      onProblem: (sentence) => void progress.message(plainText(sentence)),
    });
    return () => {
      stopSaying();
      stopNotifying();
    };
  };
}

function sessionRequest({ prompt, workspace, goal, continued }: RunPlan, options: RunOptions): SessionRequest {
  const { continue: isContinued, fork, sessionId } = options;
  const resume = continued?.sessionId ?? options.resume; // the newest session may be another one by now
  return { prompt, workspace, hasGoal: goal !== undefined, resume, continue: isContinued, fork, sessionId };
}

/** Starts or resumes the run. Resolves with a sentence if the session cannot be resumed. */
async function startRun(
  agent: Agent,
  plan: RunPlan,
  session: Extract<ChosenSession, { ok: true }>,
): Promise<Run | string> {
  const run = await startOrResume(agent, plan, session);
  if (typeof run === "string") return run;
  for (const limit of plan.replacedLimits) {
    const { warn = 0, stop = 0 } = agent.policy.limits[limit] ?? {};
    run.control({ type: "limit", limit, warn, stop });
  }
  return run;
}

async function startOrResume(
  { runtime }: Agent,
  { prompt = "", goal, isDirected }: RunPlan,
  { sessionId, isResumed }: Extract<ChosenSession, { ok: true }>,
): Promise<Run | string> {
  if (!isResumed && goal === undefined) return runtime.run(sessionId, prompt);
  if (!isResumed && goal !== undefined)
    return isDirected ? runtime.runWithDirector(sessionId, prompt, goal) : runtime.runWithGoal(sessionId, prompt, goal);
  try {
    return await runtime.resume(sessionId);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A conversation is not sent to another provider because the key of its own is missing. */
function modelHint({ continued }: RunPlan): readonly string[] {
  return continued?.start?.settings["model.provider"] === undefined
    ? []
    : [`The session ${continued.sessionId} keeps its model; to continue with another one: --model provider:model`];
}

/** Builds the command that resumes a run, and raises the limit that ended it; undefined if sessions are not saved. */
function resumeCommandFor(
  { io }: RunOutput,
  { config }: RunPlan,
  { isPriced }: Agent,
): (ended: EndedRun) => string | undefined {
  if (!config.agent.checkpoint.enabled) return () => undefined;
  return (ended) => {
    if (cannotContinue(ended)) return undefined;
    const raised = raiseLimit(ended, { config, isPriced });
    return resumeLine(ended.sessionId, { program: programName(io.env), raised });
  };
}

/** Whether the session contains the run: one that never started cannot be resumed. */
async function isSaved({ runtime }: Agent, { sessionId, runId }: Run): Promise<boolean> {
  try {
    return (await runtime.stores.sessions.load(sessionId)).runs.some((run) => run.runId === runId);
  } catch {
    return true; // the disk may work again when the user resumes the run
  }
}

interface EndedRunReport extends WatchedRun {
  /** The user was asked about calls that need approval, and knows which were refused. */
  readonly isAsked: boolean;
  readonly resume: string | undefined;
}

/** Writes the requested output to stdout, then why the run ended and how to continue. */
async function reportEnd(
  { options, io, progress, viewer }: RunOutput,
  { model }: Agent,
  { result, failure, refused, opinions, judgement, isAsked, resume }: EndedRunReport,
): Promise<number> {
  const isDone = result.state === "completed";
  const known = { model, refused, opinions, judgement, resume: isDone ? undefined : resume };
  const document = resultDocument(result, known);
  const outputProblem = failure ?? (await outputFailure(viewer.end(document)));
  await progress.clear();
  const width = wrapColumnsOf(io.stderr, io.env);
  const program = programName(io.env);
  if (refused.count > 0 && !isAsked && options.quiet === undefined)
    for (const line of refusedLines(refused.count, `${program} show ${result.runId}`, width)) await progress.line(line);
  if (!isDone)
    for (const line of stoppedLines(result, { resume, isShown: isShownOn(options), width })) await progress.line(line);
  else if (options.quiet === undefined && io.stderr.isTTY === true)
    for (const line of completedLines(result, { program, isSaved: resume !== undefined, width }))
      await progress.line(line, "dim");
  const isTerminated = result.exitCode === exitCode.terminated; // the terminal may be gone
  if (outputProblem === undefined || outputProblem.isReaderGone || isTerminated) return result.exitCode;
  await progress.message(outputProblem.message);
  return exitCode.failed;
}
