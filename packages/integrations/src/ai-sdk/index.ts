export type { AgentSettings, AiSdkGuard, AiSdkGuardState, PrepareStepOptions } from "./ai-sdk-guard.ts";
export { createAiSdkGuard } from "./create-ai-sdk-guard.ts";
export type { FinishedStep, StepPart, StepUsage } from "./finished-step.ts";
export { CallRefusedError } from "./guarded-tools.ts";
export type { PlacedNotice } from "./notice-places.ts";
