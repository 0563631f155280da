export { closestName } from "./detect/closest-name.ts";
export type { Detection, Detector, Watcher, WatcherDetection } from "./detect/detectors/detector.ts";
export { detectors, seeds, stopReasonOf, watchers } from "./detect/detectors/index.ts";
export { type CallDecision, createGuardian, type Guardian, type PlannedCall } from "./guardian.ts";
export type { GuardianEvent, GuardianOptions, Tool } from "./guardian-options.ts";
export { usedOf } from "./limits/limit-usage.ts";
export { nearBudget, type Reserve } from "./limits/near-budget.ts";
export { isFailed } from "./perceive/failure.ts";
export { plainDigest } from "./perceive/hash.ts";
export { inferKind, type ToolAnnotations } from "./perceive/kind.ts";
export {
  type PerceiveOptions,
  perceiveCall,
  perceiveOutcome,
  perceiveText,
  type RawCall,
  type RawResult,
} from "./perceive/perceive.ts";
export type { CallPrint, Digest, OutcomePrint, Sketch, Status } from "./perceive/print.ts";
export { quotedLine } from "./perceive/quoted-line.ts";
export { type ToolKind, toolKinds } from "./perceive/tool-kind.ts";
export { defaultPolicy } from "./policy/default-policy.ts";
export { type DetectorName, detectorNames } from "./policy/detector-rungs.ts";
export { type Limit, type LimitName, limitNames, stopReasons } from "./policy/limit.ts";
export type { Mode } from "./policy/mode.ts";
export {
  type Policy,
  type SecondOpinion,
  type SpawnAllowance,
  secondOpinionModes,
  type Unpriced,
} from "./policy/policy.ts";
export { type Level, levels, type Rungs } from "./policy/rungs.ts";
export type { StopReason } from "./policy/stop-reason.ts";
export { ruleFor, type ToolRule } from "./policy/tool-rule.ts";
export {
  type AnnouncedTool,
  type Channel,
  type ContextSize,
  type JudgeVerdict,
  type Origin,
  type ReplyStop,
  type Signal,
  type SignalInput,
  type SignalOf,
  type SignalType,
  type UsageTotals,
  type Verdict,
  verdicts,
  type WaitingFor,
} from "./signal.ts";
export type { Episode } from "./state/episode.ts";
export type { Advice, Budget, Finding } from "./state/finding.ts";
export type { GuardianState, Meter, Mute, Stop } from "./state/guardian-state.ts";
export { initialState } from "./state/initial-state.ts";
export { type Effect, episodeOf, type Facts, type Intervention, type Words } from "./state/intervention.ts";
export type { Observation } from "./state/observation.ts";
export type { OpinionRequest } from "./state/opinion.ts";
export { restoreState } from "./state/restore-state.ts";
export type { Chant } from "./state/stream.ts";
export { type StepResult, step } from "./step.ts";
export { plainWords, refusal, refusingWords } from "./words.ts";
