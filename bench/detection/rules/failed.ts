import type { FlatCall } from "../flat-run.ts";
import { resultText } from "./keys.ts";

/**
 * Whether a call failed: by its flag if the recording has one, otherwise by "error" or "failed" in its first 500
 * characters (hermes-agent's test).
 */
export function hasFailed(call: FlatCall): boolean {
  return call.isError ?? /error|failed/i.test(resultText(call).slice(0, 500));
}
