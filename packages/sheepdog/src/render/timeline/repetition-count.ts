import type { Intervention } from "@sheepdog/guardian";
import { isLimit } from "./is-limit.ts";

/**
 * How many times the guardian saw a repetition; undefined for a single occurrence. The count of a limit is an amount
 * and the count of a stall is a time: the message already contains those.
 */
export function repetitionCount({
  detector,
  count,
  times = Math.round(count),
}: Pick<Intervention, "detector" | "count" | "times">): number | undefined {
  return times > 1 && detector !== "stall" && !isLimit(detector) ? times : undefined;
}
