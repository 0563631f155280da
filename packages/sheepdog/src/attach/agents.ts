import { join, resolve } from "node:path";
import { type HookAgent, hookAgents } from "@sheepdog/integrations/hooks";
import { userFolder } from "../home.ts";
import type { Io } from "../io.ts";

/** `user`: all projects of the user. `project`: settings that a project shares. `local`: the user's in a project. */
export type Scope = "user" | "project" | "local";

/** A coding agent that Sheepdog can be attached to. */
export interface AttachableAgent {
  readonly id: HookAgent;
  readonly label: string;
  /** The name of its program. */
  readonly program: string;
  /** The folder of the user's settings. */
  userFolder(io: Pick<Io, "env">): string;
  /** The folder of a project's settings, below the project. */
  readonly projectFolder: string;
  /** The settings file in such a folder. */
  readonly file: string;
  /** The settings file of the user in one project, if the agent has one. */
  readonly localFile?: string;
}

const inHome = (env: Io["env"], path: string) => join(userFolder(env), path);

/** All agents, in the order of lists. */
export const attachableAgents: readonly AttachableAgent[] = [
  {
    id: "claude-code",
    label: "Claude Code",
    program: "claude",
    userFolder: ({ env }) => env["CLAUDE_CONFIG_DIR"] || inHome(env, ".claude"),
    projectFolder: ".claude",
    file: "settings.json",
    localFile: "settings.local.json",
  },
  {
    id: "codex",
    label: "Codex",
    program: "codex",
    userFolder: ({ env }) => env["CODEX_HOME"] || inHome(env, ".codex"),
    projectFolder: ".codex",
    file: "hooks.json",
  },
  {
    id: "gemini-cli",
    label: "Gemini CLI",
    program: "gemini",
    userFolder: ({ env }) => join(env["GEMINI_CLI_HOME"] || userFolder(env), ".gemini"),
    projectFolder: ".gemini",
    file: "settings.json",
  },
  {
    id: "cursor",
    label: "Cursor",
    program: "cursor",
    userFolder: ({ env }) => inHome(env, ".cursor"),
    projectFolder: ".cursor",
    file: "hooks.json",
  },
  {
    id: "opencode",
    label: "opencode",
    program: "opencode",
    userFolder: ({ env }) => join(env["XDG_CONFIG_HOME"] || inHome(env, ".config"), "opencode"),
    projectFolder: ".opencode",
    file: "plugins/sheepdog.js",
  },
];

/** The agent of a name as people type it: its id, its program, or `gemini`. */
export function agentNamed(name: string): AttachableAgent | undefined {
  const typed = name.toLowerCase();
  return attachableAgents.find(({ id, program }) => typed === id || typed === program);
}

/** The names that `attach` takes, for sentences. */
export const agentNames: string = hookAgents.join(", ");

/** The settings file of an agent; undefined if it has none of this scope. */
export function settingsFileOf(agent: AttachableAgent, scope: Scope, io: Pick<Io, "env" | "cwd">): string | undefined {
  if (scope === "user") return resolve(io.cwd, agent.userFolder(io), agent.file);
  const name = scope === "local" ? agent.localFile : agent.file;
  return name === undefined ? undefined : join(io.cwd, agent.projectFolder, name);
}
