import type { Sentence } from "@sheepdog/web/contract";
import { clockText } from "../../../render/clock-text.ts";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import { isLive } from "../../../saved-runs/run-state.ts";
import { mainLoop } from "../../../saved-runs/trace/loops.ts";
import type { TraceIntervention, TraceQuestion } from "../../../saved-runs/trace/run-trace.ts";
import { nanoUsdText } from "../../../sentences/amount-text.ts";
import { code, paragraph, say, strong } from "../../../sentences/say.ts";
import type { RunData } from "../run-data/run-data.ts";
import { runCost } from "../run-index/run-row.ts";

/** Amounts below this are not worth a sentence, in nano-dollars. */
const MIN_NANO_USD = 5_000_000;

/** The second line of a run: who was told what and when, who decided, and what it cost. Empty if nothing happened. */
export function lede(data: RunData): Sentence {
  const story = storyOf(data);
  if (data.recorded !== undefined) {
    const { problem } = data.recorded;
    const { source } = data;
    const name = data.recorded.isAttached ? say`A session of ${source}.` : recordedSentence(data.recorded);
    return paragraph(name, story, problem === undefined ? undefined : say`${problem}`);
  }
  return data.summary.isDemo ? paragraph(story, say`This is a demo: nothing was paid for it.`) : story;
}

/** What the recording says about itself. */
function recordedSentence({ id, outcome, place }: NonNullable<RunData["recorded"]>): Sentence {
  const name = id === place ? code(place) : say`${code(id)} (${place})`;
  return outcome === undefined
    ? say`Recording ${name}. Its outcome is unknown.`
    : say`Recording ${name}. Its outcome: ${code(outcome)}.`;
}

function storyOf(data: RunData): Sentence {
  const { trace, loops, kind, recorded } = data;
  const loop = mainLoop(loops);
  const ofLoop = trace.interventions.filter(({ intervention }) => intervention.id.startsWith(`${loop?.episode}/`));
  if ((kind === "recording" && !recorded?.isAttached) || ofLoop.every(({ intervention }) => !intervention.isApplied))
    return observed(data, ofLoop);
  const told = ofLoop.find(({ intervention: { level, isApplied } }) => isApplied && level !== "hint") ?? ofLoop[0];
  return paragraph(
    told === undefined ? undefined : toldSentence(told),
    ...trace.questions.map(answerSentence),
    endSentence(data, told),
  );
}

/** "It was warned at 01:16, when it had cost $0.41." */
function toldSentence({ intervention, at, spentNanoUsd }: TraceIntervention): Sentence {
  const verb = {
    hint: "It got a hint",
    warn: "It was warned",
    block: intervention.question === undefined ? "Its calls were refused from" : "The guardian asked you",
    halt: "The guardian ended it",
  }[intervention.level];
  const when = verb.endsWith("from") ? `${clockText(at)} on` : `at ${clockText(at)}`;
  if (spentNanoUsd === null || spentNanoUsd === 0) return say`${verb} ${when}.`;
  return say`${verb} ${when}, when it had cost ${strong(nanoUsdText(spentNanoUsd))}.`;
}

function answerSentence({ answer, question, at }: TraceQuestion): Sentence | undefined {
  if (answer === undefined) return undefined;
  const when = clockText(answer.at);
  switch (answer.answer) {
    case "continue":
      return isLimit(question.intervention.detector)
        ? say`You raised its limit at ${when}.`
        : say`You let it continue at ${when}.`;
    case "stop":
      return say`You stopped it at ${when}.`;
    case "tell":
      return say`You told it something at ${when}.`;
    case "none":
      return say`The question at ${clockText(at)} got no answer.`;
    default:
      return answer.answer satisfies never;
  }
}

/** What happened in the end: it recovered, or the rest of the money bought nothing. */
function endSentence(data: RunData, told: TraceIntervention | undefined): Sentence | undefined {
  const loop = mainLoop(data.loops);
  const { state } = data.summary;
  if (loop?.recoveredAt !== undefined) return say`It recovered at ${clockText(loop.recoveredAt)}.`;
  const total = runCost(data);
  const isWasted = !isLive(state) && state !== "completed" && loop !== undefined;
  if (!isWasted || told === undefined || total === null || told.spentNanoUsd === null) return undefined;
  const rest = total - told.spentNanoUsd;
  return rest < MIN_NANO_USD ? undefined : say`The other ${strong(nanoUsdText(rest))} bought nothing.`;
}

/** A run in which nothing took effect: what the guardian would have done. */
function observed(data: RunData, ofLoop: readonly TraceIntervention[]): Sentence {
  const halt = ofLoop.find(({ intervention }) => intervention.level === "halt");
  const first = halt ?? ofLoop[0];
  if (first === undefined) return limitLede(data);
  const verb = { hint: "given it a hint", warn: "warned it", block: "refused its calls", halt: "ended it" };
  const { at, spentNanoUsd, intervention, turn } = first;
  const total = runCost(data);
  const hasTime = data.kind === "run" || data.summary.run.startedAt > 1e9;
  const when = hasTime ? `at ${clockText(at)}` : `in turn ${turn}`;
  const cost =
    spentNanoUsd === null || spentNanoUsd === 0 ? say`` : say`, when it had cost ${strong(nanoUsdText(spentNanoUsd))}`;
  const rest = total === null || spentNanoUsd === null ? 0 : total - spentNanoUsd;
  return paragraph(
    say`The guardian would have ${verb[intervention.level]} ${when}${cost}.`,
    rest < MIN_NANO_USD ? undefined : say`It spent another ${strong(nanoUsdText(rest))} after that.`,
  );
}

/** A run without loops: the answers of the user, and the warning of the limit that ended it. */
function limitLede({ trace, summary }: RunData): Sentence {
  const warned = trace.interventions.find(
    ({ intervention: { detector, level, isApplied } }) => isLimit(detector) && level === "warn" && isApplied,
  );
  const isEnded = summary.state === "budget_exceeded" || summary.state === "max_steps" || summary.state === "timed_out";
  return paragraph(
    isEnded && warned !== undefined ? toldSentence(warned) : undefined,
    ...trace.questions.map(answerSentence),
  );
}
