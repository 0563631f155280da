export { redactSecrets } from "@sheepdog/guardian/secrets";
export { type Analysis, type Analyzed, analyzeAll } from "./analyze/analysis.ts";
export { analyze, analyzeRun, type RunAnalysis } from "./analyze/analyze.ts";
export { type CostShare, costShares, type SharesOf } from "./analyze/cost-shares.ts";
export { equalCallDetectors } from "./analyze/equal-call-detectors.ts";
export { type EqualCallPoint, type EqualCallTrace, equalCallTrace } from "./analyze/equal-call-trace.ts";
export type { FoundEpisode } from "./analyze/found-episode.ts";
export { openQuestions } from "./analyze/open-questions.ts";
export {
  type BadOpinionLine,
  type OpinionLine,
  opinionLine,
  type ParsedOpinions,
  parseOpinions,
} from "./analyze/opinion-lines.ts";
export { personTurns } from "./analyze/person-turns.ts";
export type { FindOpinion, Question } from "./analyze/question.ts";
export { type RemainingSpend, remainingSpend } from "./analyze/remaining-spend.ts";
export type {
  OpinionCounts,
  Report,
  ReportedIntervention,
  ReportedOpinion,
  RunReport,
  StuckStretch,
  Totals,
} from "./analyze/report.ts";
export { type SignalOfStep, signalsOf } from "./analyze/signals.ts";
export { unrecordedLimits } from "./analyze/unrecorded-limits.ts";
export { copyKeys, withoutCopies } from "./costs/copied-requests.ts";
export { type ModelUsage, modelUsage, sumByModel, type UsageSums, unnamedModel } from "./costs/model-usage.ts";
export { priceRun } from "./costs/price-run.ts";
export { type AgentPlace, agentIds, agentPlaces, type Machine } from "./discovery/agent-places.ts";
export { type ChosenAgent, chooseAgent } from "./discovery/choose-agent.ts";
export { type ExpandedPath, expandPath } from "./discovery/expand-path.ts";
export { findAgentRecordings, type PlacedRecording } from "./discovery/find-agent-recordings.ts";
export { type BasePaths, projectFilter } from "./discovery/project-filter.ts";
export { makeFolder } from "./platform/make-folder.ts";
export { sha256 } from "./platform/sha256.ts";
export {
  type OpenDatabaseOptions,
  openDatabase,
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
  sqliteCode,
} from "./platform/sqlite.ts";
export { listedModels } from "./pricing/listed-models.ts";
export { type ModelSize, modelSize, unknownModelSize } from "./pricing/model-sizes.ts";
export type { PricedModel } from "./pricing/price-list.ts";
export type { PriceOverride, PriceOverrides } from "./pricing/price-overrides.ts";
export { createPrices, type Prices } from "./pricing/prices.ts";
export type { PricedUsage, RequestSize } from "./pricing/rates.ts";
export { createRunPrices, type RunModel, type RunPrices } from "./pricing/run-prices.ts";
export type { ReadItem, Skipped, SkippedItem } from "./readers/read-item.ts";
export { readRecording } from "./readers/read-recording.ts";
export { readRecordingFile } from "./readers/read-recording-file.ts";
export type {
  DatabaseReader,
  DocumentReader,
  FolderReader,
  LineParser,
  LineReader,
  LineResult,
  Reader,
} from "./readers/reader.ts";
export { type FoundRecording, findRecordings, readRecordings } from "./readers/recordings.ts";
export type {
  AttachedGuardian,
  CountingNotes,
  GuardianAct,
  RecordedCall,
  RecordedOpinion,
  RecordedPosition,
  RecordedRun,
  RecordedStatus,
  RecordedStep,
  RecordedUsage,
} from "./trajectory/recorded-run.ts";
export { type ParsedRun, parseRun, trajectoryLine } from "./trajectory/trajectory-line.ts";
