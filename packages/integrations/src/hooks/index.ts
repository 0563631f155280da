export type { Honours, HookAnswer, HookOutput } from "./hook-answer.ts";
export { type HookAgent, type HookContract, hookAgents } from "./hook-contract.ts";
export type { HookCall, HookEvent, HookEventType } from "./hook-event.ts";
export type { SpoolLine } from "./spool-line.ts";
