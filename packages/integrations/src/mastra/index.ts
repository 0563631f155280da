export { createMastraGuard, type MastraGuardOptions } from "./create-mastra-guard.ts";
export type {
  FinishedToolCall,
  InputStep,
  LLMRequest,
  LLMResponse,
  MastraGuard,
  MastraHooks,
  MastraProcessor,
  RequestArgs,
  ToolCall,
} from "./mastra-guard.ts";
