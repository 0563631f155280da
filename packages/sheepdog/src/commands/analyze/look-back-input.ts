import { homedir } from "node:os";
import type { Policy } from "@sheepdog/guardian";
import { agentIds, chooseAgent, type Machine, projectFilter } from "@sheepdog/records";
import { loadConfig } from "../../config/load-config.ts";
import { choosePolicy } from "../../config/policy/choose-policy.ts";
import type { Config } from "../../config/schema.ts";
import { type Home, resolveHome } from "../../home.ts";
import type { Io } from "../../io.ts";
import { ownSource } from "../../recordings/saved-run-recording.ts";
import { readSince, sinceForm } from "../since.ts";
import type { InputOptions } from "./input-options.ts";

/** Which runs a look back reads, and how it judges and prices them. */
export interface LookBackInput {
  /** Files and folders that the user named; `-` is stdin. Without any, all agents of the machine are meant. */
  readonly paths: readonly string[];
  readonly machine: Machine;
  readonly home: Home;
  readonly config: Config;
  readonly policy: Policy;
  readonly now: number;
  readonly since?: number;
  /** The id of the only agent that is wanted. */
  readonly agent?: string;
  readonly isProject?: (folder: string | null) => boolean;
}

/** The input, or sentences about what is wrong with the options or the configuration. */
export type ChosenInput =
  | { readonly ok: true; readonly input: LookBackInput; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the options that say which runs are meant, and the configuration for its prices. */
export async function chooseInput(
  paths: readonly string[],
  options: InputOptions,
  { env, cwd }: Pick<Io, "env" | "cwd">,
): Promise<ChosenInput> {
  const now = Date.now();
  const home = resolveHome(env);
  const homeFolder = env["HOME"] ?? homedir();
  const loaded = await loadConfig({ env, cwd, home });
  const chosen = await choosePolicy(options.policy, options.set);
  const since = options.since === undefined ? undefined : readSince(options.since, now);
  const agent = options.agent === undefined ? undefined : chooseAgent(options.agent, [...agentIds, ownSource]);
  const isSinceWrong = options.since !== undefined && since === undefined;
  const problems = [
    ...(loaded.ok ? [] : loaded.problems),
    ...(chosen.ok ? [] : chosen.problems),
    ...(isSinceWrong ? [`--since ${options.since}: it must be ${sinceForm}`] : []),
    ...(agent === undefined || agent.ok ? [] : [`--agent: ${agent.problem}`]),
  ];
  if (!loaded.ok || !chosen.ok || problems.length > 0) return { ok: false, problems };
  const { project } = options;
  return {
    ok: true,
    notes: loaded.notes,
    input: {
      paths,
      machine: { env, homeFolder, platform: process.platform },
      home,
      config: loaded.config,
      policy: chosen.policy,
      now,
      ...(since === undefined ? {} : { since }),
      ...(agent?.ok ? { agent: agent.agent } : {}),
      ...(project === undefined ? {} : { isProject: projectFilter(project, { cwd, homeFolder }) }),
    },
  };
}
