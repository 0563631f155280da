import { isAbsolute } from "node:path";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import {
  answerHook,
  type HookContract,
  type HookEvent,
  type HookInput,
  type HookOutput,
  type HookReaction,
  readSessionState,
  type SessionState,
  type SessionUsage,
  type SpoolLine,
} from "@sheepdog/integrations/hooks";
import type { Home } from "../home.ts";
import { clockMs } from "./clock-ms.ts";
import { type Followed, followRecording } from "./follow-recording.ts";
import { type HookSettings, readSettings, settingsKey } from "./hook-settings.ts";
import { addSpent } from "./money-spent.ts";
import { withRecordedResults } from "./recorded-results.ts";
import { firstLine } from "./recording-lines.ts";
import {
  appendSpool,
  makeSessionFolder,
  readState,
  type StoredState,
  sessionFiles,
  writeState,
} from "./session-files.ts";
import { withLock } from "./session-lock.ts";

/** One delivery of an event to a hook. */
export interface HookRequest {
  readonly contract: HookContract;
  /** What the agent wrote to stdin. */
  readonly text: string;
  /** Only record what would be done. */
  readonly isObserving: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the hook process, for agents that name none. */
  readonly cwd: string;
}

export interface HookContext {
  readonly home: Home;
  readonly build: string;
  readonly now: () => number;
  /** How long to wait for other hooks of the session. */
  readonly waitMs: number;
  readonly isDaemon?: true;
  /** Throw what fails, for a caller that has another way to answer. */
  readonly throwsFailures?: true;
}

/** The settings do not fit: the configuration has changed, or the prices of these models are missing. */
export interface OldSettings {
  readonly missingModels: readonly string[];
}

/**
 * Answers one event from the files of its session, or says what the settings lack. Whatever fails, the agent continues.
 */
export function processHook(request: HookRequest, context: HookContext): HookOutput | OldSettings {
  const { contract, text, cwd, env } = request;
  const event = readEvent(contract, text);
  if (event === undefined) return emptyOutput(contract);
  try {
    const { home, build } = context;
    const settings = readSettings(home, settingsKey(home, { cwd: folderOf(event, cwd), env, build }));
    return settings === undefined ? { missingModels: [] } : answerEvent(event, settings, { request, context });
  } catch (error) {
    if (context.throwsFailures) throw error;
    return reportFailure(error, event, { request, context });
  }
}

/** The folder whose configuration applies to an event. */
export function eventFolder({ contract, text, cwd }: HookRequest): string {
  return folderOf(readEvent(contract, text), cwd);
}

function folderOf(event: HookEvent | undefined, cwd: string): string {
  return event?.cwd !== undefined && isAbsolute(event.cwd) ? event.cwd : cwd;
}

/** The answer without an event. */
export function emptyOutput(contract: HookContract): HookOutput {
  return contract.write({ type: "other", name: "", session: "" }, {});
}

/** Undefined for what is no event of this agent: it gets an empty answer, and belongs to no session. */
function readEvent(contract: HookContract, text: string): HookEvent | undefined {
  try {
    const event = contract.read(JSON.parse(text));
    return typeof event === "string" ? undefined : event;
  } catch {
    return undefined;
  }
}

interface Work {
  readonly request: HookRequest;
  readonly context: HookContext;
}

function answerEvent(
  reported: HookEvent,
  settings: HookSettings,
  { request, context }: Work,
): HookOutput | OldSettings {
  const { contract, isObserving } = request;
  const files = sessionFiles(context.home, contract.agent, reported.session);
  const startedAt = clockMs();
  makeSessionFolder(files);
  return withLock(files.lock, context.waitMs, () => {
    const at = context.now();
    const stored = readState(files);
    const event = contract.agent === "codex" ? withRecordedResults(reported, stored.session) : reported;
    const { followed, unfollowed } = follow(stored, event, { agent: contract.agent, at, rates: settings.rates });
    if (followed !== undefined && followed.unknownModels.length > 0) return { missingModels: followed.unknownModels };
    const input: HookInput = {
      contract,
      event,
      at,
      policy: isObserving ? { ...settings.policy, mode: "observe" } : settings.policy,
      attended: !isHeadless(request, event),
      problem: settings.problem,
      redact: redactSecrets,
      ...(followed === undefined ? {} : { usage: usageOf(followed, context.home, at) }),
    };
    const { state, answer, lines, problem = stored.problem } = answerFrom(stored.session, input);
    const recording = unfollowed === undefined ? (followed?.recording ?? stored.recording) : undefined;
    writeState(files, { session: state, recording });
    const problems = [problem, unfollowed];
    const ms = Math.round((clockMs() - startedAt) * 100) / 100;
    appendSpool(files, [
      ...problems.flatMap((sentence): SpoolLine[] =>
        sentence === undefined ? [] : [{ at, type: "problem", sentence }],
      ),
      ...lines,
      { at, type: "hook", event: event.name, ms, ...(context.isDaemon ? { isDaemon: true } : {}) },
    ]);
    return contract.write(event, answer);
  });
}

function isHeadless({ contract, env }: HookRequest, { recording }: HookEvent): boolean {
  if (contract.isHeadless?.(env) === true) return true;
  return contract.headlessMark !== undefined && firstLine(recording).includes(contract.headlessMark);
}

/** A recording that cannot be followed must not make the hook fail: calls are guarded without their costs. */
function follow(
  { recording }: StoredState,
  event: HookEvent,
  options: Parameters<typeof followRecording>[2],
): { readonly followed?: Followed | undefined; readonly unfollowed?: string } {
  try {
    return { followed: followRecording(recording, event, options) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { unfollowed: `the recording of the session cannot be followed: ${redactSecrets(reason)}` };
  }
}

/** A state that cannot be used must not make every later hook of the session fail. */
function answerFrom(session: SessionState, input: HookInput): HookReaction & { readonly problem?: string } {
  try {
    return answerHook(session, input);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const problem = `the state of the session cannot be used and starts anew: ${redactSecrets(reason)}`;
    return { ...answerHook(readSessionState(undefined), input), problem };
  }
}

function usageOf({ recording, newNanoUsd }: Followed, home: Home, at: number): SessionUsage {
  const { model, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costNanoUsd, isPriced } =
    recording.usage;
  return {
    ...(model === undefined ? {} : { model }),
    ...{ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costNanoUsd, isPriced },
    tokens: inputTokens + outputTokens,
    spent: addSpent(home, newNanoUsd, at),
  };
}

/**
 * The answer where a hook cannot work, as on a full disk: the agent must continue. The spool gets a line, if it can be
 * written; the user is told when the session starts.
 */
function reportFailure(error: unknown, event: HookEvent, { request, context }: Work): HookOutput {
  const { contract } = request;
  const reason = redactSecrets(error instanceof Error ? error.message : String(error));
  try {
    const files = sessionFiles(context.home, contract.agent, event.session);
    const sentence = `the hook for ${event.name} failed and let the agent continue: ${reason}`;
    appendSpool(files, [{ at: context.now(), type: "problem", sentence }]);
  } catch {
    // nothing is left to do
  }
  return unguardedOutput(contract, event, reason);
}

/** The answer to an event that cannot be guarded: at the start of a session it says so to the user. */
function unguardedOutput(contract: HookContract, event: HookEvent, reason: string): HookOutput {
  const isTold = event.type === "session-start" && contract.honours(event, true).notify === true;
  return contract.write(
    event,
    isTold ? { notify: `Sheepdog cannot watch this session, and no limit holds: ${reason}` } : {},
  );
}

/** The answer to a request for which no settings can be made. */
export function unansweredOutput({ contract, text }: HookRequest, error: unknown): HookOutput {
  const event = readEvent(contract, text);
  const reason = redactSecrets(error instanceof Error ? error.message : String(error));
  return event === undefined ? emptyOutput(contract) : unguardedOutput(contract, event, reason);
}
