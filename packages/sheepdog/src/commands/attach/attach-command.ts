import { type AttachableAgent, agentNamed, agentNames, type Scope } from "../../attach/agents.ts";
import { type AttachPlan, applyAttach, planAttach } from "../../attach/attach.ts";
import { observeMark, thisInstallation } from "../../attach/hook-script.ts";
import { hasMark } from "../../attach/mark.ts";
import { settingsDiff } from "../../attach/settings-diff.ts";
import { shownPath } from "../../config/shown-path.ts";
import { exitCode } from "../../exit-code.ts";
import { type Home, resolveHome } from "../../home.ts";
import { hookSettings } from "../../hook/compile-settings.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { styleFor } from "../../render/terminal/style.ts";
import { listAgents } from "./list-agents.ts";

/** The options of `sheepdog attach`. */
export interface AttachOptions {
  readonly write?: true;
  readonly project?: true;
  readonly local?: true;
  readonly observe?: true;
  readonly statusLine?: true;
}

/** Shows how settings of agents would change, and with --write changes them. */
export async function attachCommand(names: readonly string[], options: AttachOptions, io: Io): Promise<number> {
  const agents = names.map(agentNamed);
  const problem = problemOf(names, agents, options, io);
  if (problem !== undefined) {
    await writeMessage(io, plainText(problem));
    return exitCode.usage;
  }
  if (names.length === 0) return listAgents(scopeOf(options), io);
  let code: number = exitCode.done;
  for (const agent of agents)
    if (agent !== undefined && !(await attachAgent(agent, options, io))) code = exitCode.failed;
  const { problem: mistake } = await hookSettings(resolveHome(io.env), io);
  if (mistake !== undefined) await writeMessage(io, plainText(mistake));
  return code;
}

function problemOf(
  names: readonly string[],
  agents: readonly (AttachableAgent | undefined)[],
  { write, project, local, statusLine }: AttachOptions,
  { env }: Io,
): string | undefined {
  const unknown = agents.indexOf(undefined);
  if (unknown >= 0) return `there is no agent "${names[unknown]}" to attach to; there are ${agentNames}`;
  if (project && local) return "--project and --local are two places; take one of them";
  if (process.platform === "win32") return "attach needs a POSIX shell; use it in WSL";
  if (write && names.length === 0) return "name the agents to attach to: sheepdog attach claude-code --write";
  const others = agents.filter((agent) => agent?.id !== "claude-code");
  if (statusLine && others.length > 0) return "--status-line is for Claude Code only";
  if (statusLine && project) return "a status line is your own; leave out --project or --status-line";
  const isUsualHome = resolveHome(env).dir === resolveHome({ ...env, SHEEPDOG_HOME: undefined }).dir;
  if (project && !isUsualHome)
    return "settings of a project are shared and name ~/.sheepdog; unset SHEEPDOG_HOME, or leave out --project";
  return undefined;
}

/** Returns false if it cannot be attached. */
async function attachAgent(agent: AttachableAgent, options: AttachOptions, io: Io): Promise<boolean> {
  const home = resolveHome(io.env);
  const scope = scopeOf(options);
  const request = { agent, scope, observe: options.observe === true, statusLine: options.statusLine === true };
  const planned = await planAttach(request, home, io);
  if (!planned.ok) {
    await writeMessage(io, plainText(planned.problem));
    return false;
  }
  const { plan } = planned;
  const isSame = plan.before === plan.after && hasMark(observeMark(home, agent.id)) === request.observe;
  if (!options.write) await show(plan, isSame, io);
  if (plan.isStatusLineKept)
    await writeMessage(io, "you have a status line already, and it stays; see docs/integrations/claude-code.md");
  if (!options.write) {
    if (!isSame) await writeMessage(io, `nothing is written; to attach: ${commandOf(agent, options)}`);
    return true;
  }
  const problem = await applyAttach(plan, home, io);
  if (problem !== undefined) {
    await writeMessage(io, plainText(problem));
    return false;
  }
  await report(plan, isSame, { home, io });
  return true;
}

function scopeOf({ project, local }: AttachOptions): Scope {
  if (project) return "project";
  return local ? "local" : "user";
}

async function show({ request, file, before, after }: AttachPlan, isSame: boolean, io: Io): Promise<void> {
  const style = styleFor(io.stdout, io.env);
  const { agent, scope, observe } = request;
  const title = `${style.bold(agent.label)}, ${scopeText(scope)}: ${shownPath(file, io.cwd)}`;
  if (isSame) {
    await write(io.stdout, `${title}\nAttached already; nothing to change.\n`);
    return;
  }
  const change = before === after ? "" : await settingsDiff({ before, after }, style, io);
  await write(io.stdout, `${title}${before === undefined ? " (new file)" : ""}\n${change}`);
  const mode = observe ? "only records what it would do" : "tells, refuses and stops as your configuration says";
  await write(io.stdout, `The guardian ${mode}.\n`);
}

/** What a scope means to the user. */
function scopeText(scope: Scope): string {
  return {
    user: "all your projects",
    project: "everybody in this project",
    local: "you in this project",
  }[scope];
}

function commandOf({ id }: AttachableAgent, options: AttachOptions): string {
  const flags = [
    ...(options.project ? ["--project"] : []),
    ...(options.local ? ["--local"] : []),
    ...(options.observe ? ["--observe"] : []),
    ...(options.statusLine ? ["--status-line"] : []),
  ];
  return ["sheepdog attach", id, ...flags, "--write"].join(" ");
}

async function report(
  { request: { agent, scope, observe }, file }: AttachPlan,
  isSame: boolean,
  { home, io }: { readonly home: Home; readonly io: Io },
): Promise<void> {
  const where = `${agent.label}, ${scopeText(scope)}: ${shownPath(file, io.cwd)}`;
  await write(io.stdout, `${isSame ? "Was attached already" : "Attached"}${observe ? ", observing" : ""}. ${where}\n`);
  if (!isSame) {
    const flag = scope === "user" ? "" : ` --${scope}`;
    await writeMessage(
      io,
      `it holds for sessions that start from now on; to undo it: sheepdog detach ${agent.id}${flag} --write`,
    );
    if (agent.id === "codex")
      await writeMessage(io, "Codex runs a hook only after you approve it once: start codex and type /hooks");
  }
  if (/[\\/]_npx[\\/]/.test(thisInstallation().bin))
    await writeMessage(
      io,
      `${home.hookScript} starts a copy in npm's cache, which may be cleaned; better: npm install -g sheepdog`,
    );
}
