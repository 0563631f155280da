import { isDeepStrictEqual } from "node:util";
import { newSessionId } from "../../compose/ids.ts";
import { noModelLines } from "../../compose/no-model-lines.ts";
import { type Agent, type OpenedAgent, openAgent } from "../../compose/open-agent.ts";
import { createPermissionRules, type PermissionRules } from "../../compose/permission-rules.ts";
import { withModel } from "../../compose/with-model.ts";
import { createOpenQuestions, type OpenQuestions, withRemoteAnswers } from "../../control/index.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, messageText, ringBell, write, writeMessage } from "../../io.ts";
import { programName } from "../../program-name.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { sentenceLines, sentenceWithCommand } from "../../render/terminal/command-lines.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { wrapColumnsOf } from "../../render/terminal/style.ts";
import { type AgentSetup, type AgentSetupResult, readAgentSetup } from "../../saved-runs/agent-setup.ts";
import { chooseSession, sessionOptionsProblem } from "../../saved-runs/choose-session.ts";
import { type CardAsker, createCardAsker } from "./cards/card-asker.ts";
import { type AgentChange, type Chat, type ChatOptions, chatMessage, startChat } from "./chat-controller.ts";
import { readHistory, trimHistory } from "./history-file.ts";
import { terminalOf } from "./window/terminal.ts";

/** The options of `sheepdog chat`. */
export interface ChatCommandOptions {
  /** `true`: choose a session from a list. */
  readonly resume?: string | true;
  readonly continue?: true;
  readonly model?: string;
  readonly mode?: "guide" | "advise" | "observe";
  readonly maxCost?: string;
  readonly set?: readonly string[];
  readonly cwd?: string;
  /** False with `--no-animations`. */
  readonly animations?: boolean;
}

/** Runs a chat in the terminal and resolves with the exit code. */
export async function chatCommand(options: ChatCommandOptions, io: Io): Promise<number> {
  if (io.stdin.isTTY !== true)
    return reportProblems(io, ['chat needs a terminal; without one, use: sheepdog run "…"'], exitCode.usage);
  const read = await readSetup(options, io);
  if (!read.ok) return reportProblems(io, read.problems, exitCode.usage);
  const { setup } = read;
  const rules = createPermissionRules(setup.config, setup.home, io.env);
  const asker = createCardAsker(setup.workspace, rules);
  const questions = createOpenQuestions();
  const user: ChatUser = { asker, questions, rules, io };
  const opened = await openChatAgent(setup, user);
  if (!opened.ok) return reportProblems(io, opened.isModelMissing ? noModelLines : opened.problems, opened.exitCode);
  const session = await firstSession(options, setup, opened.agent);
  if (!session.ok) {
    await opened.agent.close();
    return reportProblems(io, [session.problem], exitCode.usage);
  }
  await trimHistory(setup.home.historyFile);
  const notifier = await loadNotifier(setup, io);
  const chat = startChat({
    agent: opened.agent,
    notify: notifier.notify,
    asker,
    questions,
    home: setup.home,
    cwd: setup.workspace,
    sessionId: session.sessionId,
    history: await readHistory(setup.home.historyFile),
    isAnimated: options.animations !== false && !io.env["NO_COLOR"],
    reopen: createReopen(options, setup, user),
  });
  for (const note of [...opened.agent.addressNotes, ...setup.notes, ...opened.agent.notes, ...notifier.notes])
    chat.store.dispatch({ type: "say", entry: chatMessage(plainText(note), "warning") });
  await chat.open(session.sessionId);
  if (options.resume === true) await chat.choose();
  return runChat(chat, io, () =>
    setup.config.agent.checkpoint.enabled ? resumeCommand(sessionOf(chat), programName(io.env)) : undefined,
  );
}

function readSetup(options: ChatCommandOptions, io: Pick<Io, "env" | "cwd">): Promise<AgentSetupResult> {
  const { model, mode, maxCost, set, cwd } = options;
  const resume = options.resume === true ? undefined : options.resume;
  const problem = sessionOptionsProblem({ resume, prompt: "" });
  if (problem !== undefined) return Promise.resolve({ ok: false, problems: [problem] });
  return readAgentSetup({ resume, continue: options.continue, model, mode, maxCost, set, cwd }, io);
}

/** What stays the same when another model is opened. */
interface ChatUser {
  readonly asker: CardAsker;
  readonly questions: OpenQuestions;
  readonly rules: PermissionRules;
  readonly io: Io;
}

function openChatAgent(
  { config, home, workspace, given }: AgentSetup,
  { asker, questions, rules: { list: rules }, io: { env } }: ChatUser,
): Promise<OpenedAgent> {
  const askers = withRemoteAnswers({ questions, terminal: asker, say: (sentence) => asker.say(sentence) });
  const say = (sentence: string) => asker.say(sentence);
  return openAgent({ config, given, home, env, cwd: workspace, attended: true, rules, say, ...askers });
}

interface Notifier {
  readonly notify?: ChatOptions["notify"];
  readonly notes: readonly string[];
}

/** Loads what tells people about runs, if the configuration has channels. */
async function loadNotifier(setup: AgentSetup, io: Io): Promise<Notifier> {
  if (Object.keys(setup.config.channels).length === 0) return { notes: [] };
  const { readChannels } = await import("../../channels/channel-settings.ts");
  const { notifyAboutRun } = await import("../../channels/notify-about-run.ts");
  const { channels, problems } = readChannels(setup.config, io.env);
  if (channels.length === 0) return { notes: problems };
  const program = programName(io.env);
  const { home, workspace, config } = setup;
  return {
    notes: problems,
    notify: (run, bus) =>
      notifyAboutRun(run, {
        home,
        env: io.env,
        channels,
        bus,
        workspace,
        isWatched: true,
        program,
        resumeCommand: ({ sessionId }) =>
          config.agent.checkpoint.enabled ? resumeCommand(sessionId, program) : undefined,
        bell: () => ringBell(io.stderr),
        onProblem: () => {}, // the screen belongs to the chat; `sheepdog notify list` shows what waits
      }),
  };
}

/**
 * Opens the same agent with another model, or with what a session ran with. Sessions that are only in memory would be
 * lost, so they must be saved.
 */
function createReopen(options: ChatCommandOptions, first: AgentSetup, user: ChatUser): ChatOptions["reopen"] {
  let setup = first;
  const failure = (problems: readonly string[]) => ({ ok: false, problems, exitCode: exitCode.usage }) as const;
  const changedSetup = async (change: AgentChange): Promise<AgentSetupResult> => {
    if ("model" in change) {
      const changed = withModel(setup.config, change.model);
      return changed.ok
        ? { ok: true, setup: { ...setup, config: changed.config, notes: [] } }
        : { ok: false, problems: [changed.problem.replace(/^--model/, "/model")] };
    }
    const { continue: _, ...others } = options;
    return readSetup({ ...others, resume: change.sessionId, cwd: setup.workspace }, user.io);
  };
  return async (change) => {
    if (!setup.config.agent.checkpoint.enabled)
      return "model" in change
        ? failure(["The model cannot be changed: sessions are not saved (agent.checkpoint.enabled is false)."])
        : undefined;
    const changed = await changedSetup(change);
    if (!changed.ok) return failure(changed.problems);
    if ("sessionId" in change && isDeepStrictEqual(changed.setup.config, setup.config)) return undefined;
    const opened = await openChatAgent(changed.setup, user);
    if (!opened.ok) return opened;
    setup = changed.setup;
    return { ok: true, agent: { ...opened.agent, notes: [...setup.notes, ...opened.agent.notes] } };
  };
}

async function firstSession(
  { resume, continue: isContinued }: ChatCommandOptions,
  { workspace, continued }: AgentSetup,
  { runtime }: Agent,
): ReturnType<typeof chooseSession> {
  if (typeof resume !== "string" && isContinued !== true)
    return { ok: true, sessionId: newSessionId(), isResumed: false, notes: [] };
  return chooseSession(runtime.stores, {
    resume: continued?.sessionId ?? (typeof resume === "string" ? resume : undefined),
    continue: isContinued,
    prompt: "", // the user types it later
    workspace,
  });
}

/** Shows the chat until the user leaves; then cancels the current run and prints how to continue. */
async function runChat(chat: Chat, io: Io, resume: () => string | undefined): Promise<number> {
  const terminal = terminalOf(io);
  try {
    if (terminal === undefined) return await (await import("./line-chat.ts")).lineChat(chat, io, resume);
    return await (await import("./window/draw-chat.ts")).drawChat(chat, terminal, { io, resume });
  } finally {
    await chat.close();
    const lines = lastLines(chat, resume(), wrapColumnsOf(io.stderr, io.env));
    await write(io.stderr, `${lines.join("\n")}\n`).catch(() => {}); // the terminal may be gone
  }
}

/** What the session has cost, and how to resume it. */
function lastLines(chat: Chat, resume: string | undefined, width: number): readonly string[] {
  const { meter, entries } = chat.store.get();
  if (!entries.some(({ type }) => type === "prompt"))
    return sentenceLines("sheepdog: no prompt was sent, so this session is not saved.", width);
  const cost = dollars((meter.earlierNanoUsd + (meter.runNanoUsd ?? 0)) / 1_000_000_000);
  const sentence = `sheepdog: the session has cost ${cost}.`;
  return resume === undefined
    ? sentenceLines(sentence, width)
    : sentenceWithCommand(sentence, `To resume: ${resume}`, width);
}

function sessionOf(chat: Chat): string {
  return chat.store.get().session.sessionId;
}

/** What the session ran with is saved. */
function resumeCommand(sessionId: string, program: string): string {
  return `${program} chat --resume ${sessionId}`;
}

async function reportProblems(io: Io, [first = "", ...rest]: readonly string[], code: number): Promise<number> {
  await writeMessage(io, plainText(first));
  for (const line of rest)
    await (line.startsWith(" ") ? write(io.stderr, `${messageText(io, line)}\n`) : writeMessage(io, plainText(line)));
  return code;
}
