import { inferKind } from "../../../packages/guardian/dist/index.js";
import type { FlatCall } from "../flat-run.ts";

/** Whether a call changes the world. Systems that keep a list of their own tools' names get the guardian's inference instead: on foreign tools their lists are empty. */
export function isMutating(call: FlatCall): boolean {
  const kind = inferKind(call.tool, call.args);
  return kind === "mutate" || kind === "send";
}

/** Whether a call only looks; the same inference. */
export function isReading(call: FlatCall): boolean {
  const kind = inferKind(call.tool, call.args);
  return kind === "read" || kind === "poll";
}

/** Whether a call polls; the same inference. */
export function isPolling(call: FlatCall): boolean {
  return inferKind(call.tool, call.args) === "poll";
}
