import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HookAgent } from "@sheepdog/integrations/hooks";
import { parse } from "jsonc-parser";
import type { Home } from "../../home.ts";
import { addHooks } from "../add-hooks.ts";
import type { Edited } from "../edited.ts";
import type { Environment } from "../environment.ts";
import { hookCommand } from "../hook-command.ts";
import { hookShape } from "../hook-shape.ts";
import { readPlugin } from "../opencode-plugin.ts";
import { codexOverrides } from "./codex-overrides.ts";

/** What is added to the command of an agent so that it has our hooks for one run. */
export interface Launch {
  /** Arguments in front of the user's own. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A launch, or why there is none. */
export type LaunchResult =
  | { readonly ok: true; readonly launch: Launch }
  | { readonly ok: false; readonly problem: string };

/** What a launch is made from. */
export interface LaunchRequest {
  readonly agent: HookAgent;
  /** The user's own arguments. */
  readonly args: readonly string[];
  /** A folder for this run only. */
  readonly folder: string;
  readonly env: Environment;
}

/** Prepares a run of an agent with our hooks. Writes into the folder of the run only. */
export async function prepareLaunch(request: LaunchRequest, home: Home): Promise<LaunchResult> {
  const { agent, args, folder, env } = request;
  switch (agent) {
    case "claude-code": {
      if (args.some((arg) => arg === "--settings" || arg.startsWith("--settings=")))
        return refused("claude takes --settings once, and watch needs it; use: sheepdog attach claude-code");
      const added = addHooks("", hookShape(agent, hookCommand(agent, "user", home)));
      return withFile(folder, "settings.json", added, (file) => ({ args: ["--settings", file], env: {} }));
    }
    case "codex":
      return { ok: true, launch: { args: codexOverrides(hookCommand(agent, "user", home)), env: {} } };
    case "gemini-cli": {
      // The system's settings are read in addition to the user's, and lists of hooks are joined. They must be root's.
      if (process.getuid?.() !== 0)
        return refused("Gemini CLI reads settings for one run only from root; use: sheepdog attach gemini-cli");
      const variable = "GEMINI_CLI_SYSTEM_SETTINGS_PATH";
      const added = addHooks(
        textOf(env[variable] ?? geminiSystemFile()),
        hookShape(agent, hookCommand(agent, "user", home)),
      );
      return withFile(folder, "settings.json", added, (file) => ({ args: [], env: { [variable]: file } }));
    }
    case "opencode": {
      await mkdir(join(folder, "plugins"));
      return withFile(join(folder, "plugins"), "sheepdog.js", readPlugin(home), (file) => ({
        args: [],
        env: { OPENCODE_CONFIG_CONTENT: withPlugin(env["OPENCODE_CONFIG_CONTENT"], file) },
      }));
    }
    case "cursor":
      return refused("watch starts agents in a terminal, which Cursor is not; use: sheepdog attach cursor");
    default:
      return agent satisfies never;
  }
}

function refused(problem: string): LaunchResult {
  return { ok: false, problem };
}

async function withFile(
  folder: string,
  name: string,
  content: Edited,
  launchOf: (file: string) => Launch,
): Promise<LaunchResult> {
  if (!content.ok) return refused(`${name} ${content.problem}`);
  const file = join(folder, name);
  await writeFile(file, content.text, { mode: 0o600 });
  return { ok: true, launch: launchOf(file) };
}

function geminiSystemFile(): string {
  return process.platform === "darwin"
    ? "/Library/Application Support/GeminiCli/settings.json"
    : "/etc/gemini-cli/settings.json";
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // nearly nobody has one
  }
}

/** The user's own inline configuration of opencode with our plugin. */
function withPlugin(config: string | undefined, file: string): string {
  const own: unknown = parse(config ?? "{}");
  const settings = typeof own === "object" && own !== null ? own : {};
  const plugins: unknown = "plugin" in settings ? settings.plugin : [];
  return JSON.stringify({ ...settings, plugin: [...(Array.isArray(plugins) ? plugins : []), `file://${file}`] });
}
