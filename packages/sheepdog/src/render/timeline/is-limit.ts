import { limitNames } from "@sheepdog/guardian";

/** Whether an intervention is about a limit: those count nothing, and are not muted. */
export function isLimit(detector: string): boolean {
  return (limitNames as readonly string[]).includes(detector);
}
