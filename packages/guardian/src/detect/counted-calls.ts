import type { Finding } from "../state/finding.ts";
import type { Comparison } from "./comparison.ts";
import type { Detection } from "./detectors/detector.ts";

/** How many calls a detection has counted, and their tools: what a message says about them. */
export function countedCalls(
  { history, newest }: Comparison,
  { count, evidence }: Detection,
): Pick<Finding, "times" | "tools"> {
  const counted = history.filter(({ index }) => evidence.includes(index));
  const tools = [...new Set([...counted, newest].map(({ tool }) => tool))];
  // Similar calls count less than one each, but each of them was made.
  const times = Math.max(Math.round(count), evidence.length);
  return { times, tools: tools.length > 1 ? tools : undefined };
}
