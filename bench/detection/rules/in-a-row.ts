import type { FlatCall, FlatRun } from "../flat-run.ts";

/** The call that completes `times` equal keys in a row. User messages change nothing. */
export function inARow(run: FlatRun, times: number, key: (call: FlatCall) => string): number | undefined {
  let previousKey: string | undefined;
  let count = 0;
  for (const call of run.calls) {
    const callKey = key(call);
    count = callKey === previousKey ? count + 1 : 1;
    previousKey = callKey;
    if (count >= times) return call.index;
  }
  return undefined;
}
