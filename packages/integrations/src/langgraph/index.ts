export type { GraphGuardOptions, GraphGuardState, PlacedNotice } from "./graph-guard-state.ts";
export {
  type GuardedState,
  type GuardedUpdate,
  guardToolNode,
  type ToolExecutor,
  unlessStopped,
} from "./guard-tool-node.ts";
