import { inferKind } from "../../../packages/guardian/dist/index.js";
import type { FlatCall } from "../flat-run.ts";

/**
 * Whether a call changes something, by the guardian's inference. It replaces the lists of tool names that other systems
 * have: the tools of recordings are not in them.
 */
export function isMutating(call: FlatCall): boolean {
  const kind = inferKind(call.tool, call.args);
  return kind === "mutate" || kind === "send";
}

/** Whether a call only reads, by the same inference. */
export function isReading(call: FlatCall): boolean {
  const kind = inferKind(call.tool, call.args);
  return kind === "read" || kind === "poll";
}

/** Whether a call polls, by the same inference. */
export function isPolling(call: FlatCall): boolean {
  return inferKind(call.tool, call.args) === "poll";
}
