import { forkSession, type Holder, isLeaseActive, type SessionSummary, type Stores } from "@sheepdog/agent";
import { closestName } from "@sheepdog/guardian";
import { isId, newSessionId } from "../compose/ids.ts";
import { findRun } from "./find-run.ts";

/** The session of a run. `isResumed`: the run continues the last one without a prompt. */
export type ChosenSession =
  | { readonly ok: true; readonly sessionId: string; readonly isResumed: boolean; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** The options that choose a session. */
export interface SessionRequest {
  readonly resume?: string | undefined;
  readonly continue?: boolean | undefined;
  readonly fork?: boolean | undefined;
  /** The id of the new session; default: a new id. */
  readonly sessionId?: string | undefined;
  readonly prompt: string | undefined;
  /** Whether the new run has a goal. */
  readonly hasGoal?: boolean;
  /** Absolute. */
  readonly workspace: string;
}

/** Checks the options before any store is opened. Returns a sentence if they cannot be used. */
export function sessionOptionsProblem({
  resume,
  continue: isContinued,
  fork,
  sessionId,
  prompt,
}: Omit<SessionRequest, "workspace">): string | undefined {
  if (resume !== undefined && !isId(resume))
    return "--resume: an id has only letters, digits, - and _, as in ses_1a2b3c; sheepdog runs lists the ids";
  if (sessionId !== undefined && !isId(sessionId))
    return "--session-id: an id has only letters, digits, - and _, as in ses_1a2b3c";
  const hasSession = resume !== undefined || isContinued === true;
  if (fork === true && !hasSession) return "--fork copies a session: name it with --resume, or use --continue";
  if (fork === true && prompt === undefined) return "--fork needs a prompt for the copy of the session";
  return undefined;
}

/** Chooses a new session, the named session, the newest session of the workspace, or a copy of an existing one. */
export async function chooseSession(stores: Stores, request: SessionRequest): Promise<ChosenSession> {
  const { resume, prompt, fork, workspace } = request;
  if (resume === undefined && request.continue !== true) return newSession(stores, request.sessionId);
  const session = await findSession(stores, request);
  if (typeof session === "string") return { ok: false, problem: session };
  const notes = [...workspaceNotes(session, workspace), ...goalNotes(session, request)];
  if (fork === true) return copySession(stores, session.sessionId, notes);
  const holder = activeHolder(session, Date.now());
  if (holder !== undefined) return { ok: false, problem: inUse(session.sessionId, holder, prompt !== undefined) };
  if (prompt === undefined && session.lastRun?.state === "completed")
    return { ok: false, problem: `the last run of ${session.sessionId} is complete: add a prompt to continue` };
  return { ok: true, sessionId: session.sessionId, isResumed: prompt === undefined, notes };
}

/** The named session, or the newest one of the workspace; a sentence if there is none. */
export function findSession(
  stores: Stores,
  { resume, workspace }: Pick<SessionRequest, "resume" | "workspace">,
): Promise<SessionSummary | string> {
  return resume === undefined ? newestSession(stores, workspace) : namedSession(stores, resume);
}

async function newSession(stores: Stores, sessionId: string | undefined): Promise<ChosenSession> {
  const isTaken =
    sessionId !== undefined && (await stores.sessions.list()).some((session) => session.sessionId === sessionId);
  if (isTaken)
    return {
      ok: false,
      problem: `--session-id ${sessionId}: this session exists; to continue it: --resume ${sessionId}`,
    };
  return { ok: true, sessionId: sessionId ?? newSessionId(), isResumed: false, notes: [] };
}

async function newestSession(stores: Stores, workspace: string): Promise<SessionSummary | string> {
  const newest = (await stores.sessions.list()).find(
    ({ lastRun }) => lastRun?.workspace === workspace && lastRun.billingSessionId === undefined,
  );
  return newest ?? `--continue: no session has run in ${workspace} yet`;
}

async function namedSession(stores: Stores, sessionId: string): Promise<SessionSummary | string> {
  const sessions = await stores.sessions.list();
  const exact = sessions.find((each) => each.sessionId === sessionId);
  if (exact !== undefined) return exact;
  if (sessionId.startsWith("run_")) return sessionOfRun(stores, sessions, sessionId);
  const ids = sessions.filter(({ lastRun }) => lastRun?.billingSessionId === undefined).map((each) => each.sessionId);
  return `--resume ${sessionId}: there is no such session; ${hint(sessionId, ids)}`;
}

/** The session of a run: users copy ids of runs from `sheepdog runs`, often shortened. */
async function sessionOfRun(
  stores: Stores,
  sessions: readonly SessionSummary[],
  runId: string,
): Promise<SessionSummary | string> {
  const found = await findRun(stores, runId, Date.now());
  if (!found.ok) return `--resume ${runId}: ${found.problem}`;
  const { sessionId, isLast } = found.summary;
  const session = sessions.find((each) => each.sessionId === sessionId);
  if (isLast && session !== undefined) return session;
  return `--resume ${runId}: it is not the last run of its session; to continue the last one: --resume ${sessionId}`;
}

/** Suggests ids with the same beginning or a similar spelling; else says where to find ids. */
function hint(sessionId: string, ids: readonly string[]): string {
  const samePrefix = ids.filter((id) => id.startsWith(sessionId)).slice(0, 3);
  const similar = samePrefix.length > 0 ? samePrefix : [closestName(sessionId, ids)].filter((id) => id !== undefined);
  if (similar.length > 0) return `did you mean ${similar.join(" or ")}?`;
  return ids.length === 0 ? "no session is saved yet" : "sheepdog runs lists them";
}

/** The process that holds an active lease on the session. */
function activeHolder({ holder, renewedAt }: SessionSummary, at: number): Holder | undefined {
  return holder !== undefined && isLeaseActive(holder, renewedAt ?? at, at) ? holder : undefined;
}

function inUse(sessionId: string, { pid, host }: Holder, hasPrompt: boolean): string {
  const fork = hasPrompt ? ", or use a copy with --fork" : "";
  return (
    `the session ${sessionId} is in use by process ${pid} on ${host}: ` +
    `wait until it ends, stop it with sheepdog stop ${sessionId}${fork}`
  );
}

function workspaceNotes({ sessionId, lastRun }: SessionSummary, workspace: string): readonly string[] {
  if (lastRun?.workspace === undefined || lastRun.workspace === workspace) return [];
  return [`The session ${sessionId} ran in ${lastRun.workspace} before; now it runs in ${workspace}.`];
}

/** A goal belongs to one prompt. */
function goalNotes({ lastRun }: SessionSummary, { prompt, hasGoal }: SessionRequest): readonly string[] {
  if (prompt === undefined || hasGoal === true || lastRun?.goal === undefined) return [];
  return ["The last run had a goal, and this one has none: with --goal, a judge decides again."];
}

async function copySession(stores: Stores, from: string, notes: readonly string[]): Promise<ChosenSession> {
  const to = newSessionId();
  try {
    await forkSession(stores, { from, to, at: Date.now() });
  } catch (error) {
    return { ok: false, problem: `--fork: ${error instanceof Error ? error.message : String(error)}` };
  }
  return { ok: true, sessionId: to, isResumed: false, notes };
}
