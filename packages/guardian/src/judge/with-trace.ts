import { bounds } from "../bounds.ts";
import { withNewest } from "../newest.ts";
import type { Trace } from "../remembered-calls.ts";

/** The exact prints of the traces in each list, and perhaps of some that have left it; none is missing. Most calls are not among them, and no trace has to be looked at. */
const printsOf = new WeakMap<readonly Trace[], Set<string>>();

/** Whether a call with this exact print may be among the traces. */
export function mayRecur(past: readonly Trace[], exact: string): boolean {
  return printsOf.get(past)?.has(exact) ?? true;
}

/** The traces with one more. */
export function withTrace(past: readonly Trace[], trace: Trace): readonly Trace[] {
  const known = printsOf.get(past);
  const prints = known === undefined || known.size > 2 * bounds.past ? new Set(past.map((each) => each[6])) : known;
  const longer = withNewest(past, trace, bounds.past);
  printsOf.set(longer, prints.add(trace[6]));
  return longer;
}
