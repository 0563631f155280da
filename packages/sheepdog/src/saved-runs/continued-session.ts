import { existsSync } from "node:fs";
import type { RunSpec, SavedRun, Stores } from "@sheepdog/agent";
import type { LimitName, Policy } from "@sheepdog/guardian";
import { z } from "zod";
import { resolveLogFolder } from "../compose/log-folder.ts";
import { openStoresForReading } from "../compose/open-stores.ts";
import { flagLayer } from "../config/flag-layer.ts";
import { limitKeys, unitOf } from "../config/limit-keys.ts";
import { loadConfig } from "../config/load-config.ts";
import { isRunKey, type RecordedSettings } from "../config/run-settings.ts";
import { resolveHome } from "../home.ts";
import type { Io } from "../io.ts";
import { findSession, type SessionRequest } from "./choose-session.ts";

/** An existing session, and what its last run was started with. */
export interface ContinuedSession {
  readonly sessionId: string;
  /** Absent in a copy without a run. */
  readonly lastRun?: SavedRun;
  /** Unknown if the run was started by another program, or rebuilt from a log that does not say it. */
  readonly start?: RecordedSettings & Pick<RunSpec, "isAttended">;
  /** The limits that the user changed during that run: they count in place of those that it was started with. */
  readonly changedLimits: Policy["limits"];
}

/** The session that the options name. Undefined if there is none: the sentence about that comes with the run. */
export async function readContinuedSession(
  request: Pick<SessionRequest, "resume" | "workspace">,
  { env }: Pick<Io, "env">,
): Promise<ContinuedSession | undefined> {
  const home = resolveHome(env);
  const loaded = await loadConfig({ env, cwd: request.workspace, home });
  if (!loaded.ok || !loaded.config.agent.checkpoint.enabled) return undefined;
  const logDir = resolveLogFolder(loaded.config, home);
  if (!existsSync(home.database) && !existsSync(logDir)) return undefined;
  const opened = await openStoresForReading(home, logDir).catch(() => undefined); // reported when the run opens it
  if (opened === undefined) return undefined;
  try {
    const session = await findSession(opened.stores, request);
    if (typeof session === "string") return undefined;
    return await continuedSession(opened.stores, session.sessionId);
  } finally {
    await opened.stores.close();
  }
}

/** What is known of a session that is continued. */
async function continuedSession({ sessions }: Stores, sessionId: string): Promise<ContinuedSession> {
  const { runs, checkpoint } = await sessions.load(sessionId, Number.MAX_SAFE_INTEGER);
  const lastRun = runs.at(-1);
  const changedLimits = checkpoint?.guardian.userLimits ?? {};
  const start = readStart(lastRun?.spec ?? checkpoint?.spec, changedLimits);
  return {
    sessionId,
    changedLimits,
    ...(lastRun === undefined ? {} : { lastRun }),
    ...(start === undefined ? {} : { start }),
  };
}

/** A database can be edited or damaged. */
const specSchema = z.object({
  version: z.literal(1),
  isAttended: z.boolean(),
  settings: z.record(z.string(), z.unknown()),
  omitted: z.array(z.string()).default([]),
});

/** What a run was started with, and the limits that the user changed since. */
export function readStart(spec: unknown, changedLimits: Policy["limits"]): ContinuedSession["start"] {
  const read = specSchema.safeParse(spec);
  if (!read.success) return undefined;
  const { isAttended, settings: saved, omitted } = read.data;
  const settings: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(saved))
    if (flagLayer({ [key]: value }).problems.length === 0) settings[key] = value;
    else omitted.push(key); // of a version that had this key
  for (const [limit, stop] of limitsOf(changedLimits))
    if (isRunKey(limitKeys[limit].split("."))) settings[limitKeys[limit]] = stop / unitOf(limit);
  if (!isAttended) settings["agent.attended"] = false;
  else if (settings["agent.attended"] === false) delete settings["agent.attended"]; // a chat of an unattended session
  return { isAttended, settings, omitted };
}

function limitsOf(limits: Policy["limits"]): readonly (readonly [LimitName, number])[] {
  return Object.entries(limits).map(([name, limit]) => [name as LimitName, limit?.stop ?? 0]); // the keys are limits
}
