import { wholeDuration } from "@sheepdog/agent/timeline";
import { episodeOf } from "@sheepdog/guardian";
import type { Sentence, Waiting } from "@sheepdog/web/contract";
import { clockText } from "../../../render/clock-text.ts";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import { withoutOutsideTag } from "../../../render/timeline/outside-tag.ts";
import { continueChoice } from "../../../render/timeline/run-question.ts";
import { interventionHistory, noticeEffect } from "../../../saved-runs/notice-effect.ts";
import type { TraceQuestion } from "../../../saved-runs/trace/run-trace.ts";
import { nanoUsdText, timesText, usdText } from "../../../sentences/amount-text.ts";
import { firstSentence } from "../../../sentences/first-sentence.ts";
import { loopPhrase } from "../../../sentences/loop-phrase.ts";
import { questionText } from "../../../sentences/question-text.ts";
import { capitalized, say } from "../../../sentences/say.ts";
import type { RunData } from "../run-data/run-data.ts";
import { type CardFrame, waitsForever } from "./card-frame.ts";

const MAX_OUTPUT_CHARS = 1_500;
const MAX_OUTPUT_LINES = 12;

/** The card of a question how a run continues. */
export function questionCard(
  asked: TraceQuestion,
  { data, frame }: { readonly data: RunData; readonly frame: CardFrame },
): Waiting {
  const { intervention, id, text } = asked.question;
  const isAboutLimit = isLimit(intervention.detector);
  const loop = data.loops.find(({ episode }) => episode === episodeOf(intervention.id));
  const call = data.calls[intervention.evidence.at(-1) ?? -1];
  const last = call === undefined ? undefined : data.trace.calls.get(call.id);
  const title = isAboutLimit
    ? say`${firstSentence(text, 200)}. ${capitalized(say`${continueChoice(asked.question)}`)}?`
    : say`${loop === undefined ? firstSentence(text, 200) : capitalized(loopPhrase(loop))}. Stop it?`;
  return {
    ...frame,
    kind: "question",
    id,
    turn: asked.turn,
    title,
    level: isAboutLimit ? null : intervention.level,
    since: asked.at,
    answerBy: asked.answerBy ?? null,
    command: call === undefined ? null : questionText(call),
    output: last?.content === undefined ? null : tailOf(withoutOutsideTag(last.content)),
    facts: [
      ...triedFact(asked, data),
      ...costFact(asked, frame),
      ...noticesFact(asked, data),
      ...opinionFact(asked, data),
    ],
    otherwise: otherwise(asked),
    suggestion: adviceFor(asked, data) ?? null,
  };
}

/** What happens without an answer. */
function otherwise({ question: { intervention }, answerBy }: TraceQuestion): string {
  const effect =
    intervention.effect === "stop"
      ? isLimit(intervention.detector)
        ? "the run ends at its limit"
        : "the run is ended"
      : "the call is refused and the run continues";
  return answerBy === undefined ? waitsForever : `Without an answer until ${clockText(answerBy)}, ${effect}.`;
}

type Facts = Waiting["facts"];

/** "5 times in 9 min". */
function triedFact({ question: { intervention }, at }: TraceQuestion, { loops, calls, trace }: RunData): Facts {
  const loop = loops.find(({ episode }) => episode === episodeOf(intervention.id));
  const first = calls[intervention.evidence[0] ?? -1];
  const startedAt = first === undefined ? undefined : trace.calls.get(first.id)?.startedAt;
  if (loop === undefined || loop.times < 2) return [];
  const span = startedAt === undefined ? "" : ` in ${wholeDuration(Math.max(1, Math.round((at - startedAt) / 1_000)))}`;
  return [{ name: "Tried", value: say`${timesText(loop.times)}${span}` }];
}

function costFact({ question: { intervention, costNanoUsd } }: TraceQuestion, { costUsd, limitUsd }: CardFrame): Facts {
  const total = costUsd ?? (costNanoUsd === null ? null : costNanoUsd / 1e9);
  if (total === null) return [{ name: "Cost", value: say`unknown: the model has no price` }];
  const parts = [
    ...(intervention.costNanoUsd === undefined ? [] : [`${nanoUsdText(intervention.costNanoUsd)} on this loop`]),
    `${usdText(total)} in all`,
    limitUsd === null ? "no limit" : `limit ${usdText(limitUsd)}`,
  ];
  return [{ name: "Cost", value: say`${parts.join(", ")}` }];
}

/** "hint at 08:41, warning at 08:45, not followed". */
function noticesFact({ question: { intervention } }: TraceQuestion, data: RunData): Facts {
  const episode = episodeOf(intervention.id);
  const history = interventionHistory(data.events, data.summary.run.runId, data.calls);
  const earlier = data.trace.interventions.filter(
    (entry) => episodeOf(entry.intervention.id) === episode && entry.intervention.id !== intervention.id,
  );
  if (earlier.length === 0) return [];
  const names = { hint: "hint", warn: "warning", block: "refusal", halt: "end" } as const;
  const notices = earlier.map(({ intervention: { level }, at }) => `${names[level]} at ${clockText(at)}`);
  const isFollowed = earlier.some((entry) => noticeEffect(entry.intervention, history).followed === true);
  const effect = isFollowed ? "followed once" : notices.length > 1 ? "none followed" : "not followed";
  return [{ name: "Notices", value: say`${notices.join(", ")}, ${effect}` }];
}

function opinionFact(asked: TraceQuestion, { trace }: RunData): Facts {
  const given = opinionAbout(asked, trace);
  if (given === undefined || given.skipped !== undefined || given.problem !== undefined) return [];
  const advice: Sentence = given.advice === undefined ? say`` : say`: “${given.advice}”`;
  return [{ name: "Second opinion", value: say`${given.verdict}${advice}` }];
}

/** The advice of a second opinion that found the agent stuck. */
function adviceFor(asked: TraceQuestion, { trace }: RunData): string | undefined {
  const given = opinionAbout(asked, trace);
  return given?.verdict === "stuck" ? given.advice : undefined;
}

function opinionAbout({ question: { intervention } }: TraceQuestion, { opinions }: RunData["trace"]) {
  return opinions.findLast(({ episode }) => episode === episodeOf(intervention.id))?.event;
}

/** The last lines of an output. */
function tailOf(content: string): string {
  const lines = content.trimEnd().split("\n").slice(-MAX_OUTPUT_LINES).join("\n");
  return lines.length > MAX_OUTPUT_CHARS ? `…${lines.slice(-MAX_OUTPUT_CHARS)}` : lines;
}
