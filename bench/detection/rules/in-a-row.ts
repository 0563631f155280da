import type { FlatCall, FlatRun } from "../flat-run.ts";

/** The call that makes a key stand so many times in a row, persons or not. */
export function inARow(run: FlatRun, times: number, key: (call: FlatCall) => string): number | undefined {
  let before: string | undefined;
  let count = 0;
  for (const call of run.calls) {
    const now = key(call);
    count = now === before ? count + 1 : 1;
    before = now;
    if (count >= times) return call.index;
  }
  return undefined;
}
