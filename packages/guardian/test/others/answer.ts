import { presets } from "@sheepdog/guardian/presets";
import { play } from "@sheepdog/guardian/testing";
import type { Answer, TranslatedTest } from "./other-project.ts";

type Situation = Pick<TranslatedTest, "before" | "script" | "policy">;

/** What the guardian does in the script of a situation. */
export function answerOf({ before = [], script, policy }: Situation): Answer {
  const options = { policy: { ...presets.default, ...policy } };
  const earlier = play(before, options).interventions.length;
  const { interventions, stop } = play([...before, ...script], options);
  const newest = interventions.slice(earlier);
  const isForce = newest.some(({ level, denies }) => denies !== undefined || level === "block" || level === "halt");
  if (isForce || stop !== undefined) return "stopped";
  return newest.length > 0 ? "noticed" : "silent";
}
