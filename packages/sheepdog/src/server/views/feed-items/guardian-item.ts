import type { RunQuestion } from "@sheepdog/agent";
import { episodeOf, type Intervention, type Level, type LimitName } from "@sheepdog/guardian";
import type { Sentence } from "@sheepdog/web/contract";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import { type EventOf, spentAt } from "../../../saved-runs/trace/run-trace.ts";
import { toUsd } from "../../../sentences/amount-text.ts";
import { callText } from "../../../sentences/call-text.ts";
import { firstSentence } from "../../../sentences/first-sentence.ts";
import { loopPhrase } from "../../../sentences/loop-phrase.ts";
import { limitAmount } from "../../../sentences/outcome-sentence.ts";
import { code, say } from "../../../sentences/say.ts";
import { limitStop } from "../run-data/limit-stop.ts";
import type { ItemContext, ItemDraft } from "./item-draft.ts";

const done: Readonly<Record<Level, string>> = {
  hint: "Hinted",
  warn: "Warned",
  block: "Refused",
  halt: "Ended the run",
};
const wouldHave: Readonly<Record<Level, string>> = {
  hint: "Would have hinted",
  warn: "Would have warned",
  block: "Would have refused",
  halt: "Would have ended the run",
};

/** An intervention. A question, a refused call and the end of the run have items of their own. */
export function interventionItem(
  { intervention, at }: EventOf<"GuardianIntervention">,
  context: ItemContext,
): ItemDraft | undefined {
  const { level, isApplied, detector, question, denies } = intervention;
  const costUsd = toUsd(spentAt(context.data.trace.costs, at));
  const hasOwnItem = question !== undefined || denies !== undefined || (level === "halt" && !isLimit(detector));
  if ((hasOwnItem && isApplied) || isSaidAgain(intervention, context)) return undefined;
  if (isLimit(detector)) {
    const sentence = limitSentence(intervention, context);
    return { kind: "limit", level, isApplied, sentence, costUsd, group: isMoney(detector) ? "money" : "guardian" };
  }
  const verb = isApplied ? done[level] : wouldHave[level];
  return {
    kind: "guardian",
    level,
    isApplied,
    sentence: say`${verb}: ${phraseOf(intervention, context)}`,
    detail: effectOf(intervention, context),
    costUsd,
    group: "guardian",
  };
}

/** Whether the same was said before in this episode: after a second opinion the guardian says it once more. */
function isSaidAgain({ id, level, count }: Intervention, { data }: ItemContext): boolean {
  const all = data.trace.interventions.map(({ intervention }) => intervention);
  const earlier = all.slice(
    0,
    all.findIndex((each) => each.id === id),
  );
  return earlier.some((each) => episodeOf(each.id) === episodeOf(id) && each.level === level && each.count === count);
}

/** A question of the guardian to the user. */
export function questionItem({ question, at }: EventOf<"QuestionAsked">, context: ItemContext): ItemDraft {
  const { intervention } = question;
  const isAboutLimit = isLimit(intervention.detector);
  const about = isAboutLimit ? firstSentence(question.text, 160) : phraseOf(intervention, context);
  return {
    kind: "question",
    level: isAboutLimit ? null : intervention.level,
    sentence: say`Asks you: ${about}`,
    detail: say`${nameOf(question)}. The run waits and spends nothing.`,
    costUsd: toUsd(spentAt(context.data.trace.costs, at)),
    group: isAboutLimit && isMoney(intervention.detector) ? "money" : "guardian",
  };
}

/** The end of an episode without force. */
export function recoveredItem({ episode, at }: EventOf<"GuardianRecovered">, { data }: ItemContext): ItemDraft {
  const last = data.trace.interventions.findLast(
    ({ intervention, at: told }) => episodeOf(intervention.id) === episode && told <= at,
  )?.intervention;
  const names: Readonly<Record<Level, string>> = { hint: "hint", warn: "warning", block: "refusal", halt: "end" };
  const after = last === undefined ? "" : ` after the ${names[last.level]}`;
  const [next, old] = [
    data.calls[(last?.call ?? -2) + (last?.denies === undefined ? 1 : 2)],
    data.calls[last?.evidence.at(-1) ?? -1],
  ];
  const instead =
    next === undefined || old === undefined || callText(next) === callText(old)
      ? []
      : say`: ${code(callText(next, 60))} in place of ${code(callText(old, 60))}`;
  return {
    kind: "recovered",
    sentence: say`Recovered${after}${instead}`,
    costUsd: toUsd(spentAt(data.trace.costs, at)),
    group: "guardian",
  };
}

/** The answer of a second opinion; undefined if no model was asked. */
export function opinionItem({ verdict, advice, skipped, problem }: EventOf<"OpinionGiven">): ItemDraft | undefined {
  if (skipped !== undefined || problem !== undefined) return undefined;
  const said = { stuck: "the agent is stuck", working: "the agent makes progress", unsure: "it is not sure" }[verdict];
  const detail = advice === undefined ? [] : say`“${advice.slice(0, 400)}”`;
  return { kind: "guardian", sentence: say`Second opinion: ${said ?? verdict}`, detail, group: "guardian" };
}

/** What repeated, as the guardian had seen it then. */
function phraseOf({ detector, evidence, count, times, tool }: Intervention, { data }: ItemContext): Sentence {
  const shown = evidence.flatMap((index) => data.calls[index] ?? []);
  const calls = [...new Map(shown.map((call) => [JSON.stringify([call.tool, call.input]), call])).values()];
  return loopPhrase({ detector, calls, times: times ?? Math.round(count), tool });
}

function effectOf({ id, isApplied }: Intervention, { followed }: ItemContext): Sentence {
  const isFollowed = isApplied ? followed(id) : null;
  if (isFollowed === null) return [];
  return isFollowed ? say`Followed: the next call was another one.` : say`Not followed: the same came again.`;
}

/** "Limit: 80 % of $40.00 spent". */
function limitSentence({ detector, count, level, message, isUnpriced }: Intervention, { data }: ItemContext): Sentence {
  const name = detector as LimitName; // the caller has checked that it is a limit
  const stop = limitStop(data.trace.limits, name);
  if (isUnpriced === true || stop === undefined) return say`Limit: ${firstSentence(message, 160)}`;
  if (level === "halt") return say`Limit reached: ${limitAmount(name, stop)}`;
  if (name === "context") return say`Limit: ${Math.round(count)} % of the context used`;
  const share = Math.floor((100 * count) / stop);
  return say`Limit: ${share} % of ${limitAmount(name, stop)} ${isMoney(name) ? "spent" : "used"}`;
}

function nameOf({ intervention }: RunQuestion): string {
  return isLimit(intervention.detector) ? `Limit: ${intervention.detector}` : intervention.detector;
}

function isMoney(detector: string): boolean {
  return detector.endsWith("-cost");
}
