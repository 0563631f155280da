import type { Intervention } from "@sheepdog/guardian";
import { isLimit } from "./is-limit.ts";

/** How many times something was seen, where that is more than once. Of a limit the count is an amount, of a stall a length of time: the message says them. */
export function timesOf({ detector, count }: Pick<Intervention, "detector" | "count">): number | undefined {
  return count > 1 && detector !== "stall" && !isLimit(detector) ? Math.round(count) : undefined;
}
