export { repeatedSteps } from "../detect/detectors/seed-aar.ts";
export { type TailRepetitions, tailRepetitions } from "../detect/detectors/seed-llm-rb.ts";
export { equalTail } from "../detect/detectors/seed-ryvos.ts";
export {
  defaultThresholds,
  type Failures,
  type ToolAnswer,
  type ToolThresholds,
} from "../detect/detectors/seed-tool-guardrails.ts";
export {
  defaultGuardrails,
  type FollowupMessage,
  type GuardrailsConfig,
  type GuardrailsState,
  type GuardrailsUsage,
  isStuck,
  maxTokensFollowup,
  nearBudget,
  observeToolCalls,
  type SavedGuardrails,
} from "./aar.ts";
export {
  createLoopGuard,
  DEFAULT_THRESHOLD,
  type GuardError,
  guardError,
  type LoopGuard,
  type LoopGuardContext,
} from "./llm-rb.ts";
export {
  blockTool,
  type Escalation,
  escalation,
  fresh,
  halt,
  isBlocked,
  type LoopState,
  noProgressCount,
  recordFailure,
  recordSuccess,
} from "./tool-guardrails.ts";
