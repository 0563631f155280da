import { newSessionId } from "../../compose/ids.ts";
import { type Agent, type OpenedAgent, openAgent } from "../../compose/open-agent.ts";
import { withModel } from "../../compose/with-model.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { chooseSession } from "../run/choose-session.ts";
import { noModelLines } from "../run/no-model.ts";
import type { WorkPlan } from "../run/plan-work.ts";
import { type Asking, createAsking } from "./cards/asking.ts";
import { type Chat, said, startChat } from "./chat-controller.ts";
import { readHistory, trimHistory } from "./history-file.ts";
import { planChat } from "./plan-chat.ts";
import { terminalOf } from "./window/terminal.ts";

/** The options of `sheepdog chat`. */
export interface ChatCommandOptions {
  /** `true`: choose one from a list. */
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

/** Works with an agent in the terminal. Resolves with the exit code. */
export async function chatCommand(options: ChatCommandOptions, io: Io): Promise<number> {
  if (io.stdin.isTTY !== true)
    return refuse(io, ['chat needs a terminal to type at; without one there is: sheepdog run "…"'], exitCode.usage);
  const planned = await planChat(options, io);
  if (!planned.ok) return refuse(io, planned.problems, exitCode.usage);
  const { plan } = planned;
  const asking = createAsking(plan.workspace);
  const opened = await open(plan, asking, io);
  if (!opened.ok) return refuse(io, opened.isModelMissing ? noModelLines : opened.problems, opened.exitCode);
  const session = await sessionFor(options, plan, opened.agent);
  if (!session.ok) {
    await opened.agent.close();
    return refuse(io, [session.problem], exitCode.usage);
  }
  await trimHistory(plan.home.historyFile);
  const chat = startChat({
    agent: opened.agent,
    asking,
    home: plan.home,
    cwd: plan.workspace,
    sessionId: session.sessionId,
    history: await readHistory(plan.home.historyFile),
    isAnimated: options.animations !== false && !io.env["NO_COLOR"],
    reopen: (model) => reopen(model, plan, asking, io),
  });
  for (const note of [...plan.notes, ...opened.agent.notes])
    chat.store.dispatch({ type: "say", entry: said(plainText(note), "warning") });
  await chat.open(session.sessionId);
  if (options.resume === true) await chat.choose();
  return talk(chat, io, () => (plan.config.agent.checkpoint.enabled ? goOn(chat, options) : undefined));
}

/** Until the person leaves; then what goes on is ended in good order, and the way back is told. */
async function talk(chat: Chat, io: Io, resume: () => string | undefined): Promise<number> {
  const terminal = terminalOf(io);
  try {
    if (terminal === undefined) return await (await import("./line-chat.ts")).lineChat(chat, io, resume);
    return await (await import("./window/draw-chat.ts")).drawChat(chat, terminal, io, resume);
  } finally {
    await chat.close();
    await writeMessage(io, lastLine(chat, resume())).catch(() => {}); // a terminal that is gone hears nothing
  }
}

function lastLine(chat: Chat, resume: string | undefined): string {
  const { meter, entries } = chat.store.get();
  const cost = dollars((meter.earlierNanoUsd + (meter.runNanoUsd ?? 0)) / 1_000_000_000);
  return entries.some(({ type }) => type === "prompt")
    ? `the session has cost ${cost}.${resume === undefined ? "" : ` Go on: ${resume}`}`
    : "nothing was asked, and nothing is kept of this session.";
}

function goOn(chat: Chat, { model, cwd }: ChatCommandOptions): string {
  const word = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const more = [
    ...(model === undefined ? [] : [`--model ${word(model)}`]),
    ...(cwd === undefined ? [] : [`--cwd ${word(cwd)}`]),
  ];
  return [`sheepdog chat --resume ${chat.store.get().place.sessionId}`, ...more].join(" ");
}

function open(
  { config, home, workspace }: WorkPlan,
  { approve, ask }: Asking,
  { env }: Io,
): ReturnType<typeof openAgent> {
  return openAgent({ config, home, env, cwd: workspace, attended: true, approve, ask });
}

/** What is kept in memory only would be gone with the agent. */
async function reopen(model: string, plan: WorkPlan, asking: Asking, io: Io): Promise<OpenedAgent> {
  const refused = (problem: string) => ({ ok: false, problems: [problem], exitCode: exitCode.usage }) as const;
  if (!plan.config.agent.checkpoint.enabled)
    return refused(
      "Sessions are not kept (agent.checkpoint.enabled is false): another model would know nothing of this one.",
    );
  const other = withModel(plan.config, model);
  return other.ok
    ? open({ ...plan, config: other.config }, asking, io)
    : refused(other.problem.replace(/^--model/, "/model"));
}

async function sessionFor(
  { resume, continue: isContinued }: ChatCommandOptions,
  { workspace }: WorkPlan,
  { runtime }: Agent,
): ReturnType<typeof chooseSession> {
  if (typeof resume !== "string" && isContinued !== true)
    return { ok: true, sessionId: newSessionId(), goesOn: false, notes: [] };
  return chooseSession(runtime.stores, {
    resume: typeof resume === "string" ? resume : undefined,
    continue: isContinued,
    prompt: "",
    workspace,
  }); // what is asked comes later
}

async function refuse(io: Io, [first = "", ...rest]: readonly string[], code: number): Promise<number> {
  await writeMessage(io, plainText(first));
  for (const line of rest)
    await (line.startsWith(" ") ? write(io.stderr, `${line}\n`) : writeMessage(io, plainText(line)));
  return code;
}
