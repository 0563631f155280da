import type { FlatCall, FlatRun } from "../flat-run.ts";

/** Each call with the number of equal keys in a row that it ends. User messages change nothing. */
export function* rowLengths(
  run: FlatRun,
  key: (call: FlatCall) => string,
): Generator<{ readonly call: FlatCall; readonly length: number }> {
  let previousKey: string | undefined;
  let length = 0;
  for (const call of run.calls) {
    const callKey = key(call);
    length = callKey === previousKey ? length + 1 : 1;
    previousKey = callKey;
    yield { call, length };
  }
}
