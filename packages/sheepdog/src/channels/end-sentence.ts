import type { RunResult } from "@sheepdog/agent";
import { type LimitName, stopReasons } from "@sheepdog/guardian";
import { isUnpricedEnd } from "../render/timeline/reason-text.ts";
import { firstSentenceText } from "../sentences/first-sentence.ts";
import { outcomeSentence } from "../sentences/outcome-sentence.ts";
import { plainSentence } from "../sentences/say.ts";

/** What came of a run, as the list of runs says it, with a full stop. */
export function endSentence(
  result: RunResult,
  { prompt, endedAt }: { readonly prompt: string; readonly endedAt: number },
): string {
  // A signal ends a run in the same way as its user: nothing tells who sent it.
  if (result.state === "cancelled" && result.isStoppedByUser !== true)
    return withStop(`Stopped: ${firstSentenceText(prompt, maxTask)}`);
  const { state, reason, text, problem, interventions } = result;
  const sentence = plainSentence(
    outcomeSentence({
      kind: "run",
      state,
      reason,
      endedAt,
      prompt,
      text,
      problem,
      lastWords: undefined,
      model: undefined,
      loop: undefined,
      refused: interventions.filter(({ denies, isApplied }) => denies !== undefined && isApplied).length,
      limit: limitOf(result),
      isStoppedByAnswer: result.isStoppedByUser === true,
      waiting: undefined,
      doing: { type: "thinking" },
    }),
  );
  return withStop(sentence);
}

const maxTask = 200;

function withStop(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}

function limitOf(result: RunResult): Parameters<typeof outcomeSentence>[0]["limit"] {
  const names = Object.keys(stopReasons) as LimitName[]; // a record has exactly its own keys
  const name = names.find((each) => stopReasons[each] === result.reason);
  return name === undefined ? undefined : { name, stop: undefined, isUnpriced: isUnpricedEnd(result) };
}
