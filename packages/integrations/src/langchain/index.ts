export type { GraphGuardOptions, GraphGuardState, PlacedNotice } from "../langgraph/graph-guard-state.ts";
export { createLangChainGuard } from "./create-langchain-guard.ts";
