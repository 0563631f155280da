import type { SessionSummary } from "@sheepdog/agent";
import { defaultPolicy, type Policy } from "@sheepdog/guardian";
import { isId } from "../../../compose/ids.ts";
import { buildRunPolicy } from "../../../config/policy/run-policy.ts";
import { findRunReference } from "../../../saved-runs/find-run.ts";
import { createSummaryContext } from "../../../saved-runs/list-runs.ts";
import type { ViewContext } from "../../view-context.ts";
import { type RunTree, sessionData } from "../run-index/run-index.ts";
import { recordedRunData } from "./recorded-run-data.ts";

/** Loads a run by its id or its session's, or a recording; undefined if there is none. */
export async function loadRun(context: ViewContext, id: string): Promise<RunTree | undefined> {
  return isRecordingId(id) ? loadRecording(context, id) : loadSaved(context, id);
}

/** Whether an id is a recording's. */
export function isRecordingId(id: string): boolean {
  return id.startsWith("rec_");
}

/** The policy of the configuration for a folder; the default one if it is invalid. */
export async function policyFor({ loadConfig }: ViewContext, folder: string): Promise<Policy> {
  const loaded = await loadConfig(folder);
  const chosen = loaded.ok ? buildRunPolicy(loaded.config) : undefined;
  return chosen?.ok === true ? chosen.policy : defaultPolicy;
}

async function loadRecording(context: ViewContext, id: string): Promise<RunTree | undefined> {
  const entry = (await context.recordings.list()).find((each) => each.id === id);
  const recording = entry === undefined ? undefined : await context.recordings.load(id);
  if (entry === undefined || recording === undefined) return undefined;
  const policy = await policyFor(context, context.cwd);
  return { ...(await recordedRunData({ entry, recording, policy, now: context.now() })), subagents: [] };
}

async function loadSaved(context: ViewContext, id: string): Promise<RunTree | undefined> {
  const place = await locateRun(context, id);
  if (place === undefined) return undefined;
  const summaries = createSummaryContext(context.stores, place.sessions, context.now());
  const runs = await sessionData(place.session, summaries);
  return runs.find(({ summary }) => summary.run.runId === place.runId);
}

/** Where a saved run is. */
export interface RunPlace {
  readonly sessionId: string;
  readonly runId: string;
  readonly session: SessionSummary;
  readonly sessions: readonly SessionSummary[];
}

/** Finds the session of a run by the id of either, or by the start of it. Reads no session. */
export async function locateRun({ stores }: ViewContext, id: string): Promise<RunPlace | undefined> {
  if (!isId(id)) return undefined;
  const sessions = await stores.sessions.list();
  const reference = await findRunReference(stores, sessions, id);
  if (typeof reference === "string") return undefined;
  const { session, runId } = reference;
  return { sessionId: session.sessionId, runId, session, sessions };
}
