import { limitNames } from "@sheepdog/guardian";

/** Whether a detector watches a limit. Its interventions have no repetition count and cannot be muted. */
export function isLimit(detector: string): boolean {
  return (limitNames as readonly string[]).includes(detector);
}
