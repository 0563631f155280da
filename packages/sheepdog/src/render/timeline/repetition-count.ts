import type { Intervention } from "@sheepdog/guardian";
import { isLimit } from "./is-limit.ts";

/**
 * How many times the guardian saw a repetition; undefined for a single occurrence. The count of a limit is an amount
 * and the count of a stall is a time: the message already contains those.
 */
export function repetitionCount({ detector, count }: Pick<Intervention, "detector" | "count">): number | undefined {
  return count > 1 && detector !== "stall" && !isLimit(detector) ? Math.round(count) : undefined;
}
