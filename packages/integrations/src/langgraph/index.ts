export type { PlacedNotice } from "../guard/placed-notice.ts";
export type { GraphGuardOptions, GraphGuardState } from "./graph-guard-state.ts";
export {
  type GuardedState,
  type GuardedUpdate,
  guardToolNode,
  type ToolExecutor,
  unlessStopped,
} from "./guard-tool-node.ts";
