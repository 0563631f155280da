import { forkSession, type Holder, isLeaseActive, type SessionSummary, type Stores } from "@sheepdog/agent";
import { closestName } from "@sheepdog/guardian";
import { isId, newSessionId } from "../../compose/ids.ts";
import { findRun } from "../../saved-runs/find-run.ts";

/** Which session a run works in. `goesOn`: without a prompt, from where it was. */
export type ChosenSession =
  | { readonly ok: true; readonly sessionId: string; readonly goesOn: boolean; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** What was asked for. */
export interface Wanted {
  readonly resume?: string | undefined;
  readonly continue?: boolean | undefined;
  readonly fork?: boolean | undefined;
  readonly prompt: string | undefined;
  /** Absolute. */
  readonly workspace: string;
}

/** What can be said against it without looking at what is kept. */
export function impossible({
  resume,
  continue: isContinued,
  fork,
  prompt,
}: Omit<Wanted, "workspace">): string | undefined {
  if (resume !== undefined && !isId(resume))
    return `--resume: an id has letters, digits, - and _ only, as in ses_1a2b3c; sheepdog runs lists them`;
  const isOld = resume !== undefined || isContinued === true;
  if (fork === true && !isOld) return "--fork copies a session: say which with --resume or --continue";
  if (fork === true && prompt === undefined) return "--fork needs a prompt: a copy goes on with something new";
  return undefined;
}

/** A new session, the one that was named, the newest of the workspace, or a copy of one of these. */
export async function chooseSession(stores: Stores, wanted: Wanted): Promise<ChosenSession> {
  const { resume, prompt, fork, workspace } = wanted;
  if (resume === undefined && wanted.continue !== true)
    return { ok: true, sessionId: newSessionId(), goesOn: false, notes: [] };
  const found = resume === undefined ? await newestOf(stores, workspace) : await named(stores, resume);
  if (typeof found === "string") return { ok: false, problem: found };
  const notes = elsewhere(found, workspace);
  if (fork === true) return copyOf(stores, found.sessionId, notes);
  const holder = holderOf(found, Date.now());
  if (holder !== undefined) return { ok: false, problem: inUse(found.sessionId, holder, prompt !== undefined) };
  const last = found.lastRun;
  if (prompt === undefined && last?.state === "completed")
    return { ok: false, problem: `the last run of ${found.sessionId} is complete: give it a new prompt to go on` };
  return { ok: true, sessionId: found.sessionId, goesOn: prompt === undefined, notes };
}

async function newestOf(stores: Stores, workspace: string): Promise<SessionSummary | string> {
  const found = (await stores.sessions.list()).find(
    ({ lastRun }) => lastRun?.workspace === workspace && lastRun.billingSessionId === undefined,
  );
  return found ?? `--continue: no session has worked in ${workspace} yet`;
}

async function named(stores: Stores, sessionId: string): Promise<SessionSummary | string> {
  const all = await stores.sessions.list();
  const found = all.find((each) => each.sessionId === sessionId);
  if (found !== undefined) return found;
  if (sessionId.startsWith("run_")) return ofRun(stores, all, sessionId);
  const ids = all.filter(({ lastRun }) => lastRun?.billingSessionId === undefined).map((each) => each.sessionId);
  return `--resume ${sessionId}: there is no such session; ${hint(sessionId, ids)}`;
}

/** The session of a run: `sheepdog runs` shows the ids of runs, shortened. */
async function ofRun(stores: Stores, all: readonly SessionSummary[], runId: string): Promise<SessionSummary | string> {
  const found = await findRun(stores, runId, Date.now());
  if (!found.ok) return `--resume ${runId}: ${found.problem}`;
  const { sessionId, isLast } = found.summary;
  const session = all.find((each) => each.sessionId === sessionId);
  return isLast && session !== undefined
    ? session
    : `--resume ${runId}: other runs came after it in its session; to go on with the last of them: --resume ${sessionId}`;
}

/** The ids that begin alike or look alike; else where to look. */
function hint(sessionId: string, ids: readonly string[]): string {
  const alike = ids.filter((id) => id.startsWith(sessionId)).slice(0, 3);
  const near = alike.length > 0 ? alike : [closestName(sessionId, ids)].filter((id) => id !== undefined);
  if (near.length > 0) return `did you mean ${near.join(" or ")}?`;
  return ids.length === 0 ? "none is kept yet" : "sheepdog runs lists them";
}

/** Who works on it now. */
function holderOf({ holder, renewedAt }: SessionSummary, at: number): Holder | undefined {
  return holder !== undefined && isLeaseActive(holder, renewedAt ?? at, at) ? holder : undefined;
}

function inUse(sessionId: string, { pid, host }: Holder, hasPrompt: boolean): string {
  const copy = hasPrompt ? ", or go on in a copy with --fork" : "";
  return `the session ${sessionId} is in use by process ${pid} on ${host}: wait until it is done, end it with sheepdog stop ${sessionId}${copy}`;
}

function elsewhere({ sessionId, lastRun }: SessionSummary, workspace: string): readonly string[] {
  if (lastRun?.workspace === undefined || lastRun.workspace === workspace) return [];
  return [`The session ${sessionId} has worked in ${lastRun.workspace}; now it works in ${workspace}.`];
}

async function copyOf(stores: Stores, from: string, notes: readonly string[]): Promise<ChosenSession> {
  const to = newSessionId();
  try {
    await forkSession(stores, { from, to, at: Date.now() });
  } catch (error) {
    return { ok: false, problem: `--fork: ${error instanceof Error ? error.message : String(error)}` };
  }
  return { ok: true, sessionId: to, goesOn: false, notes };
}
