export type { PlacedNotice } from "../guard/placed-notice.ts";
export type { AgentSettings, AiSdkGuard, AiSdkGuardState, PrepareStepOptions } from "./ai-sdk-guard.ts";
export { createAiSdkGuard } from "./create-ai-sdk-guard.ts";
export type { FinishedStep, StepPart, StepUsage } from "./finished-step.ts";
export { CallRefusedError } from "./guarded-tools.ts";
