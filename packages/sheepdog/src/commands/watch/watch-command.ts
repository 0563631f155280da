import { rm } from "node:fs/promises";
import { basename } from "node:path";
import { type AttachableAgent, agentNamed, settingsFileOf } from "../../attach/agents.ts";
import { findAttached } from "../../attach/detach.ts";
import { observeVariable, writeHookScript } from "../../attach/hook-script.ts";
import { type LaunchResult, prepareLaunch } from "../../attach/watch/launch.ts";
import { runAgent } from "../../attach/watch/run-agent.ts";
import { makeWatchFolder } from "../../attach/watch/watch-folder.ts";
import { watchedRun } from "../../attach/watch/watched-run.ts";
import { exitCode } from "../../exit-code.ts";
import { type Home, resolveHome } from "../../home.ts";
import { hookSettings } from "../../hook/compile-settings.ts";
import { type Io, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { summaryLines } from "./summary-lines.ts";

/** The options of `sheepdog watch`. */
export interface WatchOptions {
  readonly observe?: true;
}

/** Runs an agent with our hooks, and then says what they saw. Returns the exit code of the agent. */
export async function watchCommand(
  command: readonly [string, ...string[]],
  options: WatchOptions,
  io: Io,
): Promise<number> {
  const [program, ...args] = command;
  const agent = agentNamed(basename(program));
  if (agent === undefined) {
    await writeMessage(io, plainText(`"${program}" is none of the programs claude, codex, gemini and opencode`));
    return exitCode.usage;
  }
  const home = resolveHome(io.env);
  const folder = await makeWatchFolder(home);
  try {
    const prepared = await prepare(agent, { args, folder }, { home, io });
    if (!prepared.ok) {
      await writeMessage(io, plainText(prepared.problem));
      return exitCode.usage;
    }
    const { problem } = await hookSettings(home, io);
    if (problem !== undefined) await writeMessage(io, plainText(problem));
    const { launch } = prepared;
    const since = Date.now();
    const env = { ...io.env, ...launch.env, ...(options.observe ? { [observeVariable]: "1" } : {}) };
    const ended = await runAgent([program, ...launch.args, ...args], env, io);
    if (!ended.ok) {
      await writeMessage(io, plainText(`${program} cannot be started: ${ended.problem}`));
      return exitCode.usage;
    }
    const run = watchedRun(home, { agent: agent.id, cwd: io.cwd, since });
    for (const line of summaryLines(agent.label, run, Date.now() - since)) await writeMessage(io, line);
    return ended.code;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where the agent is attached already, for all projects or in this folder, it needs no hooks from us. */
async function prepare(
  agent: AttachableAgent,
  { args, folder }: { readonly args: readonly string[]; readonly folder: string },
  { home, io }: { readonly home: Home; readonly io: Io },
): Promise<LaunchResult> {
  const attached = await findAttached(home, io);
  const isAttached = attached.some(
    (each) => each.agent.id === agent.id && each.file === settingsFileOf(agent, each.scope, io),
  );
  if (isAttached) return { ok: true, launch: { args: [], env: {} } };
  await writeHookScript(home, io.env);
  return prepareLaunch({ agent: agent.id, args, folder, env: io.env }, home);
}
