import {
  type DetectorName,
  type Episode,
  type Finding,
  type GuardianState,
  initialState,
  type Policy,
  ruleFor,
  step,
} from "@sheepdog/guardian";
import { sha256 } from "../platform/sha256.ts";
import type { RecordedRun, RecordedStep } from "../trajectory/recorded-run.ts";
import { equalCallDetectors } from "./equal-call-detectors.ts";
import { hasOpinions, observingPolicy, withoutStop } from "./observing.ts";
import { stepNanoUsd, toUsd } from "./recorded-costs.ts";
import { signalsOf } from "./signals.ts";

/** The first call of a run at which a number of equal calls was reached. */
export interface EqualCallPoint {
  /** The number of equal calls. */
  readonly count: number;
  /** 0-based index over all calls of the run. */
  readonly call: number;
  readonly turn: number;
  readonly detector: DetectorName;
  /** The cost up to and including the turn of the call; null when no cost is recorded. */
  readonly costUsd: number | null;
  /** What the run did after that turn: its calls and their cost. */
  readonly remaining: { readonly calls: number; readonly costUsd: number | null };
}

/** Where a run would have ended at each number of equal calls from 3 to 14. Numbers it never reached are missing. */
export interface EqualCallTrace {
  readonly points: readonly EqualCallPoint[];
}

const MIN_COUNT = 3;
const MAX_COUNT = 14;

/** As for rungs: a count may fall short by this much, because evidence is graded. */
const SLACK = 0.2;

/** Those that may use force: `same-call` only hints. */
const forcefulDetectors: readonly DetectorName[] = equalCallDetectors.filter((name) => name !== "same-call");

/**
 * Runs the guardian over a recorded run once and notes where each number of equal calls was first reached. Counts as
 * the levels `block` and `halt` do: only exact repetition, unless a recorded second opinion says that the agent is
 * stuck. Detectors that are off in the policy count nothing.
 */
export function equalCallTrace(run: RecordedRun, policy: Policy): EqualCallTrace {
  const observing = observingPolicy(policy, { isAsking: false, isRecorded: hasOpinions(run) });
  const spent = spentBySteps(run.steps);
  const points: EqualCallPoint[] = [];
  let state = initialState(sha256.name);
  for (const { signal, step: recordedStep } of signalsOf(run, policy)) {
    state = withoutStop(step(observing, state, signal).state);
    if (signal.type !== "result") continue;
    const lastFinishedCall = Number(signal.id);
    const reached = highestCount(observing, state);
    if (reached === undefined) continue;
    for (let count = MIN_COUNT + points.length; count <= Math.min(MAX_COUNT, reached.count); count++)
      points.push({
        count,
        call: lastFinishedCall,
        turn: recordedStep.turn,
        detector: reached.detector,
        ...spent(lastFinishedCall),
      });
    if (points.length > MAX_COUNT - MIN_COUNT) break;
  }
  return { points };
}

interface ReachedCount {
  readonly count: number;
  readonly detector: DetectorName;
}

/** The highest number of equal calls among the findings of this turn. */
function highestCount(policy: Policy, state: GuardianState): ReachedCount | undefined {
  let highest: ReachedCount | undefined;
  for (const finding of state.findings) {
    const detector = forcefulDetectors.find((name) => name === finding.detector);
    const rungs = detector === undefined ? undefined : policy.detectors[detector];
    if (detector === undefined || !(rungs?.block || rungs?.halt)) continue;
    const count = equalCalls(policy, state, finding);
    if (highest === undefined || count > highest.count) highest = { count, detector };
  }
  return highest;
}

/** The whole number of equal calls that a finding stands for, by the rules for its tool and by second opinions. */
function equalCalls(policy: Policy, state: GuardianState, finding: Finding): number {
  const rule = ruleFor(policy, finding.tool);
  if (rule?.off === "all" || rule?.off?.some((name) => name === finding.detector)) return 0;
  const opinions = opinionsAbout(state.episodes, finding);
  const { count, exactCount = count } = finding;
  const patience = finding.detector === "side-effect-repeat" ? 1 : 1 + Math.min(opinions?.working ?? 0, 2);
  const scale = (rule?.scale ?? 1) * patience;
  if (scale <= 0) return 0;
  return Math.floor(((opinions?.verdict === "stuck" ? count : exactCount) + SLACK) / scale);
}

function opinionsAbout(episodes: readonly Episode[], { cause, tool, evidence }: Finding): Episode["opinions"] {
  const episode =
    episodes.find((other) => other.cause === cause) ??
    episodes.find(({ calls }) => evidence.some((call) => calls.includes(call)));
  const about = episode?.opinions?.about;
  return about?.cause === cause || about?.tool === tool ? episode?.opinions : undefined;
}

/** What was spent up to and including the turn of a call, and what the run did afterwards. */
function spentBySteps(steps: readonly RecordedStep[]): (call: number) => Pick<EqualCallPoint, "costUsd" | "remaining"> {
  let calls = 0;
  let nanoUsd = 0;
  const ends = steps.map((each) => {
    calls += each.calls.length;
    nanoUsd += stepNanoUsd(each) ?? 0;
    return { calls, nanoUsd };
  });
  const isPriced = steps.some((each) => stepNanoUsd(each) !== undefined);
  return (call) => {
    const end = ends.find((each) => each.calls > call) ?? { calls, nanoUsd };
    return {
      costUsd: isPriced ? toUsd(end.nanoUsd) : null,
      remaining: { calls: calls - end.calls, costUsd: isPriced ? toUsd(nanoUsd - end.nanoUsd) : null },
    };
  };
}
