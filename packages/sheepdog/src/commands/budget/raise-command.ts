import type { LimitName } from "@sheepdog/guardian";
import { buildRunPolicy } from "../../config/policy/run-policy.ts";
import { type ControlMessage, createRunPort } from "../../control/index.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { findRun } from "../../saved-runs/find-run.ts";
import { resumeCommand } from "../../saved-runs/resume-command.ts";
import { describeState, isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { type StoreContext, withStores } from "../../saved-runs/with-stores.ts";
import { type RaiseRequest, readRaiseRequest } from "./raise-request.ts";

/** Changes a limit of a run of another process. */
export async function raiseCommand(id: string, words: readonly string[], io: Io): Promise<number> {
  const fail = async (sentence: string, code: number) => {
    await writeMessage(io, plainText(sentence));
    return code;
  };
  const request = readRaiseRequest(words);
  if (!request.ok) return fail(request.problem, exitCode.usage);
  return withStores(io, async (context) => {
    const found = await findRun(context.stores, id, Date.now());
    if (!found.ok) return fail(found.problem, exitCode.usage);
    const { run, state } = found.summary;
    if (run.billingSessionId !== undefined) {
      const parent = run.billingSessionId;
      return fail(`${run.runId} is a run of a subagent; raise the run that pays for it: ${parent}`, exitCode.usage);
    }
    if (!isLive(state)) {
      const command = await resumeWithMore(context, found.summary, { request: request.value, cwd: io.cwd });
      return fail(notRunning(found.summary, command), exitCode.usage);
    }
    const result = await sendRaise(context, run.runId, request.value);
    if (!result.ok) return fail(result.problem, result.code);
    await write(io.stdout, `${run.runId}: ${result.sentence}\n`);
    return exitCode.done;
  });
}

type RaiseResult =
  | { readonly ok: true; readonly sentence: string }
  | { readonly ok: false; readonly problem: string; readonly code: number };

async function sendRaise(context: StoreContext, runId: string, request: RaiseRequest): Promise<RaiseResult> {
  const message = raiseMessage(context, request);
  const outcome = await createRunPort(context.home)
    .send(runId, message)
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  if (typeof outcome === "string") return failed(`the message cannot be written (${outcome})`);
  const { title, format, amount } = request;
  switch (outcome.type) {
    case "applied": {
      const limit = "stop" in outcome.message ? outcome.message.stop : amount;
      return { ok: true, sentence: `the ${title} is now ${format(limit)}.` };
    }
    case "refused":
      return failed(`${runId} has no ${title} to add to, so nothing was changed; leave out the + to set one`, "usage");
    case "unanswered":
      if (await isStillLive(context, runId))
        return failed(`${runId} did not answer, so nothing was changed; its process hangs or cannot receive messages`);
      break;
    case "ended":
      break;
    default:
      return outcome satisfies never;
  }
  return failed(`${runId} ended before it received the message; see: sheepdog show ${runId}`);
}

function failed(problem: string, code: "failed" | "usage" = "failed"): RaiseResult {
  return { ok: false, problem, code: exitCode[code] };
}

function raiseMessage(context: StoreContext, request: RaiseRequest): ControlMessage {
  const { limit, amount, isMore } = request;
  if (isMore) return { type: "limit", limit, more: amount };
  return { type: "limit", limit, stop: amount, ...warningOf(context, request) };
}

/** A new limit of the run itself gets a warning at the configured share. */
function warningOf({ config }: StoreContext, { limit, amount }: RaiseRequest): { readonly warn?: number } {
  const share = config.budget.per_run_warning_percent / 100;
  return (limit === "run-cost" || limit === "run-tokens") && share > 0 ? { warn: Math.round(amount * share) } : {};
}

async function isStillLive({ stores }: StoreContext, runId: string): Promise<boolean> {
  const found = await findRun(stores, runId, Date.now());
  return found.ok && isLive(found.summary.state);
}

function notRunning(summary: RunSummary, command: string | undefined): string {
  const hint = command === undefined ? "" : `; to resume it with the new limit: ${command}`;
  return `${summary.run.runId} is not running (${describeState(summary)})${hint}`;
}

/**
 * The command that resumes a run with the new limit. A run that broke off continues to count from where it was; after a
 * run that ended a new one starts at zero.
 */
async function resumeWithMore(
  { stores, config }: StoreContext,
  summary: RunSummary,
  { request, cwd }: { readonly request: RaiseRequest; readonly cwd: string },
): Promise<string | undefined> {
  const { limit, amount, isMore, flag } = request;
  if (!isMore) return resumeCommand(summary, { cwd }, flag(amount));
  const policy = isOfRun(limit) ? undefined : buildRunPolicy(config);
  const base = policy?.ok ? (policy.policy.limits[limit]?.stop ?? 0) : await usedAmount(stores, summary, limit);
  return resumeCommand(summary, { cwd }, flag(base + amount));
}

async function usedAmount(stores: StoreContext["stores"], summary: RunSummary, limit: LimitName): Promise<number> {
  const { sessionId, run, state, turns, costNanoUsd } = summary;
  if (state !== "broken_off" || run.endedAt !== undefined) return 0;
  if (limit === "turns") return turns;
  if (limit === "run-cost") return costNanoUsd ?? 0;
  const { checkpoint } = await stores.sessions.load(sessionId);
  if (checkpoint?.runId !== run.runId) return 0;
  return limit === "time" ? checkpoint.guardian.clock.workMs : (checkpoint.guardian.limits[limit]?.used ?? 0);
}

function isOfRun(limit: LimitName): boolean {
  return limit !== "session-cost" && limit !== "day-cost" && limit !== "month-cost";
}
