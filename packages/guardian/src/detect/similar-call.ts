import { similarity } from "../perceive/sketch.ts";
import type { SimilarCalls } from "../state/finding.ts";
import type { UnansweredCall } from "../state/observation.ts";

/** Arguments that share this much are nearly the same; if the calls are about the same target, less is enough. */
const NEARLY_SAME = 0.9;
const SAME_TARGET = 0.5;

/** Whether a call has nearly the same arguments as the calls of an episode. */
export function isSimilarCall(
  { tool, call }: Pick<UnansweredCall, "tool" | "call">,
  { tool: similarTool, words, target }: SimilarCalls,
): boolean {
  if (tool !== similarTool) return false;
  return similarity(call.words, words) >= (call.target === target ? SAME_TARGET : NEARLY_SAME);
}
