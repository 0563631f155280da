export { canonical } from "./canonical.ts";
export type { Detector } from "./detectors/detector.ts";
export { explain } from "./explain.ts";
export type { Advice, Finding } from "./finding.ts";
export { createGuardian, type Guardian, type GuardianEvent, type GuardianOptions, type Tool, type Verdict } from "./guardian.ts";
export { plainDigest } from "./hash.ts";
export type { Intervention } from "./intervention.ts";
export { annotatedKind, inferKind, isWrite, type ToolAnnotations } from "./kind.ts";
export { perceiveCall, perceiveOutcome, perceiveText, type RawCall, type RawResult, type Senses } from "./perceive.ts";
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
  type ToolRule,
} from "./policy.ts";
export { defaultPolicy } from "./presets.ts";
export type { CallPrint, Digest, OutcomePrint, Sketch } from "./print.ts";
export { restoreState } from "./restore.ts";
export { type AnnouncedTool, type Origin, type Signal, type SignalType, type Status, type ToolKind, toolKinds, type WaitingFor } from "./signal.ts";
export { type Episode, type GuardianState, initialState, type Mute, type Observation, type Stop, type StopReason } from "./state.ts";
export { type Step, step } from "./step.ts";
export { type Facts, plainWords, type Words } from "./words.ts";
