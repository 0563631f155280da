export type { PlacedNotice } from "../guard/placed-notice.ts";
export { createOpenAIAgentsGuard } from "./create-openai-agents-guard.ts";
export { guardModelInput, type ModelInputArgs, RunStoppedError } from "./guard-model-input.ts";
export { guardTools } from "./guard-tools.ts";
export type { OpenAIAgentsGuard, OpenAIAgentsGuardState } from "./openai-agents-guard.ts";
export type { ReportedUsage } from "./usage-reader.ts";
