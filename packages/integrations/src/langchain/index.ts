export type { PlacedNotice } from "../guard/placed-notice.ts";
export type { GraphGuardOptions, GraphGuardState } from "../langgraph/graph-guard-state.ts";
export { createLangChainGuard } from "./create-langchain-guard.ts";
