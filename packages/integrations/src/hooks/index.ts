export { contractOf, hookContracts } from "./contracts/index.ts";
export type { Honours, HookAnswer, HookOutput, Interrupt } from "./hook-answer.ts";
export { type HookAgent, type HookContract, hookAgents } from "./hook-contract.ts";
export type { HookCall, HookEvent, HookEventType, HookResult, HookUsage } from "./hook-event.ts";
export { answerHook, type HookInput, type HookReaction } from "./session/answer-hook.ts";
export { initialSession, readSessionState, type SessionState } from "./session/session-state.ts";
export type { SessionUsage, UsageTotals } from "./session/session-usage.ts";
export type { SpoolLine } from "./spool-line.ts";
