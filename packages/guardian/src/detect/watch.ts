import type { DetectorName } from "../policy/detector-rungs.ts";
import type { Signal } from "../signal.ts";
import { bounds } from "../state/bounds.ts";
import type { Draft } from "../state/draft.ts";
import type { Episode } from "../state/episode.ts";
import { createFinding, type Finding } from "../state/finding.ts";
import { createIntervention, type Intervention } from "../state/intervention.ts";
import type { RefusedCall } from "../state/observation.ts";
import type { StepContext } from "../state/step-context.ts";
import { subagentKey } from "../state/subagents.ts";
import { refusal } from "../words.ts";
import type { Watcher, WatcherDetection } from "./detectors/detector.ts";
import { furtherWatchers, seedWatchers, watchers } from "./detectors/index.ts";
import { actionableFindings, climb } from "./ladder.ts";
import { hasReached } from "./reached-level.ts";

// Each is only called with its own signal.
const allWatchers = [...watchers, ...furtherWatchers, ...seedWatchers] as readonly Watcher[];

/**
 * Runs the watchers of this signal after it was processed, and intervenes at once. A watcher that throws is switched
 * off.
 */
export function runWatchers(context: StepContext, signal: Signal): readonly Intervention[] {
  return allWatchers
    .filter((watcher) => watcher.on === signal.type)
    .flatMap((watcher) => {
      const finding = runWatcher(context, watcher, signal);
      return finding === undefined ? [] : interveneAtOnce(context, finding);
    });
}

function runWatcher({ policy, state }: StepContext, watcher: Watcher, signal: Signal): Finding | undefined {
  const name = watcher.name as DetectorName; // all watchers are listed by name
  if (policy.detectors[name] === undefined || state.brokenDetectors.includes(name)) return undefined;
  if (state.stopped !== undefined) return undefined;
  let detection: WatcherDetection | undefined;
  try {
    detection = watcher.notice(state, signal, policy);
  } catch {
    state.brokenDetectors = [...state.brokenDetectors, name]; // the guardian emits it as `detector-off`
  }
  return detection === undefined ? undefined : createFinding(name, detection);
}

/**
 * Climbs the ladder for a finding. Pending calls are refused and chanting streams are interrupted whenever they are
 * found, also without a new level.
 */
function interveneAtOnce(context: StepContext, finding: Finding): readonly Intervention[] {
  const { policy, state } = context;
  if (actionableFindings(context, [finding]).length === 0) return [];
  const { interventions } = climb(context, [finding]); // there are no requests about streams, time and subagents
  const episode = state.episodes.find(({ cause }) => cause === finding.cause);
  if (episode === undefined || episode.isMuted) return interventions;
  const isBlocked = hasReached(context, finding, { level: "block", episode });
  if (finding.pendingIds !== undefined && policy.mode === "guide" && isBlocked) {
    const stops = interventions.filter(({ effect }) => effect === "stop");
    return [...stops, ...refusePending(context, finding, episode)]; // the refusals carry the message of the level
  }
  if (finding.interruptsEachTime === undefined || policy.mode === "observe" || interventions.length > 0)
    return interventions;
  return [interruptAgain(context, finding)];
}

/** Refuses everything that is pending. All refusals of a turn add one to the episode. */
function refusePending({ state, words }: StepContext, finding: Finding, episode: Episode): readonly Intervention[] {
  const pendingIds = finding.pendingIds ?? [];
  const denials = episode.denials + (episode.lastDenialTurn === state.turn ? 0 : 1);
  const message = refusal(words(finding, "hint", { denials, isFirst: false }));
  const refusals = pendingIds.map((callId) =>
    createIntervention(finding, {
      id: `${episode.id}/deny/${++state.issuedIds}`,
      level: "block",
      effect: "deny",
      call: finding.call ?? state.callCount - 1,
      denies: { callId },
      message,
      isApplied: true,
    }),
  );
  state.episodes = state.episodes.map((other) =>
    other.id === episode.id ? { ...other, denials, lastDenialTurn: state.turn } : other,
  );
  dropRefused(state, pendingIds);
  return refusals;
}

/** Removes refused calls and subagents, which never start. */
function dropRefused(state: Draft, ids: readonly string[]): void {
  const refusedCalls = state.unanswered
    .filter(({ id }) => ids.includes(id))
    .map(({ index, turn, call }): RefusedCall => [index, turn, state.personTurn, call.exact]);
  state.unanswered = state.unanswered.filter(({ id }) => !ids.includes(id));
  state.refusedCalls = [...state.refusedCalls, ...refusedCalls].slice(-bounds.refusedCalls);
  const keys = ids.map(subagentKey);
  const subagents = state.subagents.filter(({ id }) => !keys.includes(id));
  const refusedSubagents = state.subagents.length - subagents.length;
  state.subagents = subagents;
  const { started, starts } = state.subagentTotals;
  state.subagentTotals = {
    ...state.subagentTotals,
    started: started - refusedSubagents,
    starts: starts.slice(0, starts.length - refusedSubagents),
  };
}

function interruptAgain({ state, words }: StepContext, finding: Finding): Intervention {
  state.issuedIds++;
  return createIntervention(finding, {
    id: `e${state.issuedIds}/interrupt`,
    level: "warn",
    effect: "interrupt",
    call: finding.call ?? state.callCount - 1,
    message: words(finding, "warn", { denials: 0, isFirst: false }),
    isApplied: true,
  });
}
