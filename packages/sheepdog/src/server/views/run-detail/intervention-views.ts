import type { Message } from "@sheepdog/agent";
import { episodeOf, type Intervention } from "@sheepdog/guardian";
import type { InterventionView } from "@sheepdog/web/contract";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import { interventionHistory, noticeEffect } from "../../../saved-runs/notice-effect.ts";
import type { RunTrace, TraceIntervention } from "../../../saved-runs/trace/run-trace.ts";
import { toUsd } from "../../../sentences/amount-text.ts";
import { interventionFact } from "../../../sentences/intervention-fact.ts";
import type { RunData } from "../run-data/run-data.ts";
import { runCost } from "../run-index/run-row.ts";

/** The user's judgement about an intervention of the run; null if there is none. */
export type FindJudgement = (interventionId: string) => boolean | null;

/** The interventions of a run, each with what was known before it and what came of it. */
export function interventionViews(data: RunData, isRight: FindJudgement): InterventionView[] {
  const history = interventionHistory(data.events, data.summary.run.runId, data.calls);
  const isPriced = runCost(data) !== null;
  return data.trace.interventions.map((entry) => {
    const { intervention, seq, at, turn, spentNanoUsd } = entry;
    const { followed, recovered } = noticeEffect(intervention, history);
    return {
      id: intervention.id,
      episode: episodeOf(intervention.id),
      seq,
      at,
      turn,
      detector: intervention.detector,
      isLimit: isLimit(intervention.detector),
      level: intervention.level,
      effect: intervention.effect,
      isApplied: intervention.isApplied,
      fact: interventionFact(intervention, data),
      times: intervention.times ?? Math.round(intervention.count),
      count: intervention.count,
      tool: intervention.tool ?? null,
      message: intervention.message,
      notice: noticeOf(intervention, data),
      runUsd: isPriced ? toUsd(spentNanoUsd) : null,
      loopUsd: toUsd(intervention.costNanoUsd),
      callIds: intervention.evidence.flatMap((index) => data.calls[index]?.id ?? []),
      followed,
      nextCallId: nextCallId(intervention, data),
      isRecovered: recovered,
      opinion: opinionOf(entry, data.trace),
      ...questionOf(intervention, data.trace),
      isRight: isRight(intervention.id),
    };
  });
}

/** The call after an intervention. A refused call comes after the last finished one. */
function nextCallId({ call, denies }: Intervention, { calls, trace }: RunData): string | null {
  const next = calls[call + (denies === undefined ? 1 : 2)];
  return next !== undefined && trace.calls.has(next.id) ? next.id : null;
}

/** The words as the agent read them: a message with its tag, or the answer to a refused call. */
function noticeOf(
  { id, denies, isApplied, isForUser, message }: Intervention,
  { messages, trace, recorded }: RunData,
): string | null {
  if (!isApplied) return null;
  if (denies !== undefined) return trace.calls.get(denies.callId)?.content ?? null;
  if (recorded?.isAttached) return isForUser ? null : message; // the hooks do not record the text around it
  const tag = `<sheepdog-notice id="${id}">`;
  const isNotice = (each: Message) => each.role === "user" && each.text.includes(tag);
  const notice = messages.find(isNotice);
  if (notice?.role !== "user") return null;
  const start = notice.text.indexOf(tag);
  const end = notice.text.indexOf("</sheepdog-notice>", start);
  return notice.text.slice(start, end < 0 ? undefined : end + "</sheepdog-notice>".length);
}

function opinionOf({ intervention }: TraceIntervention, { opinions }: RunTrace): InterventionView["opinion"] {
  const episode = episodeOf(intervention.id);
  const given = opinions.findLast(
    (opinion) => opinion.episode === episode && (opinion.level ?? intervention.level) === intervention.level,
  )?.event;
  if (given === undefined) return null;
  const { verdict, advice, model, costNanoUsd, skipped, problem } = given;
  return {
    verdict: verdict === "stuck" || verdict === "working" ? verdict : "unsure",
    advice: advice ?? null,
    model: model ?? null,
    costUsd: toUsd(costNanoUsd),
    skipped: skipped ?? null,
    problem: problem ?? null,
  };
}

function questionOf({ id }: Intervention, { questions }: RunTrace): Pick<InterventionView, "question" | "answer"> {
  const asked = questions.findLast(({ question }) => question.intervention.id === id);
  if (asked === undefined) return { question: null, answer: null };
  const { question, seq, answer } = asked;
  return {
    question: { id: question.id, text: question.text, seq },
    answer: answer === undefined ? null : { answer: answer.answer, text: answer.text ?? null, at: answer.at },
  };
}
