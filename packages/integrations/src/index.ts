export { createLoopGuard } from "./guard/create-loop-guard.ts";
export type { GuardOptions, RequestUsage } from "./guard/guard-options.ts";
export type { GuardState, LoopGuard } from "./guard/loop-guard.ts";
export { missingNotices, type Notice } from "./guard/notice.ts";
