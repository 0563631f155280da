import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { LimitName } from "@sheepdog/guardian";
import { withModel } from "../compose/with-model.ts";
import { limitKeys } from "../config/limit-keys.ts";
import { type FlagValues, loadConfig } from "../config/load-config.ts";
import { type RunOptions, readFlags } from "../config/run-options.ts";
import type { Config } from "../config/schema.ts";
import { type Home, resolveHome } from "../home.ts";
import type { Io } from "../io.ts";
import { continuedNotes } from "./continued-notes.ts";
import { type ContinuedSession, readContinuedSession } from "./continued-session.ts";

/** What `run` and `chat` need before they open an agent. */
export interface AgentSetup {
  readonly home: Home;
  readonly config: Config;
  /** Absolute, with links resolved. */
  readonly workspace: string;
  /** The settings that were given by flags and the environment: they are saved with the run. */
  readonly given: FlagValues;
  /** The session that the run continues, if it is known. */
  readonly continued?: ContinuedSession | undefined;
  /** The limits that the user had changed in the session, and that flags replace now. */
  readonly replacedLimits: readonly LimitName[];
  /** Sentences to show to the user. */
  readonly notes: readonly string[];
}

export type AgentSetupResult =
  | { readonly ok: true; readonly setup: AgentSetup }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads the folder, flags and configuration, and what an existing session ran with. Looks for no model. A run that
 * continues a session starts from what that session's last run was started with.
 */
export async function readAgentSetup(
  options: RunOptions,
  { env, cwd }: Pick<Io, "env" | "cwd">,
): Promise<AgentSetupResult> {
  const folder = await existingFolder(resolve(cwd, options.cwd ?? "."));
  if (folder === undefined) return failure(`--cwd ${options.cwd ?? cwd}: there is no such folder`);
  const read = readFlags(options);
  if (!read.ok) return failure(...read.problems);
  const { flags } = read;
  const hasSession = options.resume !== undefined || options.continue === true;
  const continued = hasSession
    ? await readContinuedSession({ resume: options.resume, workspace: folder }, { env })
    : undefined;
  return setupOf({ options, flags, env, folder, hasSession }, continued);
}

interface SetupRequest {
  readonly options: RunOptions;
  readonly flags: FlagValues;
  readonly env: Io["env"];
  /** The folder that the user named, or the current one. */
  readonly folder: string;
  readonly hasSession: boolean;
}

async function setupOf(
  { options, flags, env, folder, hasSession }: SetupRequest,
  continued: ContinuedSession | undefined,
): Promise<AgentSetupResult> {
  const { lastRun, start } = continued ?? {};
  const wanted = options.cwd === undefined ? (lastRun?.workspace ?? folder) : folder;
  const workspace = await existingFolder(wanted);
  if (workspace === undefined)
    return failure(`the folder of the session, ${wanted}, no longer exists; name another one with --cwd`);
  const home = resolveHome(env);
  const run = start === undefined ? undefined : { ...start, settings: withoutModelOfOther(start.settings, flags) };
  const loaded = await loadConfig({ env, cwd: workspace, home, flags, ...(run === undefined ? {} : { run }) });
  if (!loaded.ok) return failure(...loaded.problems);
  const chosen =
    options.model === undefined
      ? ({ ok: true, config: loaded.config } as const)
      : withModel(loaded.config, options.model);
  if (!chosen.ok) return failure(chosen.problem);
  const { config } = chosen;
  if (hasSession && !config.agent.checkpoint.enabled)
    return failure("sessions are not saved, so none can be resumed: set agent.checkpoint.enabled=true");
  const { given } = loaded;
  const configNow = continued === undefined ? undefined : await loadConfig({ env, cwd: workspace, home });
  const notes = [
    ...loaded.notes,
    ...(continued === undefined || configNow?.ok !== true
      ? []
      : continuedNotes(continued, { options, flags, config, configNow: configNow.config })),
  ];
  const changedLimits = Object.keys(continued?.changedLimits ?? {}) as LimitName[]; // the keys are limits
  const replacedLimits = changedLimits.filter((limit) => limitKeys[limit] in flags);
  return { ok: true, setup: { home, config, workspace, given, continued, replacedLimits, notes } };
}

/** The model and the address of one provider are not those of another. */
function withoutModelOfOther(settings: FlagValues, flags: FlagValues): FlagValues {
  const provider = flags["model.provider"];
  if (provider === undefined || provider === settings["model.provider"]) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !modelKeys.includes(key)));
}

const modelKeys: readonly string[] = ["model.provider", "model.model_id", "model.base_url"];

function failure(...problems: readonly string[]): AgentSetupResult {
  return { ok: false, problems };
}

async function existingFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined; // the caller reports that there is no such folder
  }
}
