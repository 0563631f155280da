export { defaultPolicy } from "./default-policy.ts";
export { initialState } from "./draft.ts";
export type { Episode } from "./episode.ts";
export {
  type CallDecision,
  createGuardian,
  type Guardian,
  type GuardianEvent,
  type GuardianOptions,
  type PlannedCall,
  type SignalInput,
  type Tool,
} from "./guardian.ts";
export type { Intervention } from "./intervention.ts";
export { closestName } from "./judge/closest-name.ts";
export type { Chant } from "./judge/detectors/chant-tail.ts";
export type { Detector, Noticed, Seen, Watcher } from "./judge/detectors/detector.ts";
export { detectors, seeds, watchers } from "./judge/detectors/index.ts";
export type { Advice, Budget, Finding } from "./judge/finding.ts";
export { nearBudget, type Reserve, stopReasons } from "./limits.ts";
export { plainDigest } from "./perceive/hash.ts";
export { inferKind, type ToolAnnotations } from "./perceive/kind.ts";
export { redactSecrets } from "./perceive/mask-secrets.ts";
export {
  type PerceiveOptions,
  perceiveCall,
  perceiveOutcome,
  perceiveText,
  type RawCall,
  type RawResult,
} from "./perceive/perceive.ts";
export type { CallPrint, Digest, OutcomePrint, Sketch } from "./perceive/print.ts";
export {
  type DetectorName,
  detectorNames,
  type Effect,
  type Level,
  type Limit,
  type LimitName,
  levels,
  limitNames,
  type Mode,
  type Policy,
  type Rungs,
  type SpawnAllowance,
  type ToolRule,
  type Unpriced,
} from "./policy.ts";
export type { Observation } from "./remembered-calls.ts";
export { restoreState } from "./restore.ts";
export {
  type AnnouncedTool,
  type Channel,
  type Origin,
  type Signal,
  type SignalOf,
  type SignalType,
  type Status,
  type ToolKind,
  toolKinds,
  type UsageTotals,
  type WaitingFor,
} from "./signal.ts";
export type { GuardianState, Meter, Mute } from "./state.ts";
export { step } from "./step.ts";
export type { Step } from "./step-result.ts";
export type { Stop, StopReason } from "./stop.ts";
export { type Facts, plainWords, type Words } from "./words.ts";
