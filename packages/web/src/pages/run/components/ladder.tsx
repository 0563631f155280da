import type { InterventionView, RunDetail } from "../../../contract/index.ts";
import { LevelMark } from "../../../parts/level-mark.tsx";
import { ordinal } from "../model/step-text.ts";
import { useRunClock } from "./run-clock.ts";

const levels = ["hint", "warn", "block", "halt"] as const;

/** The ladder of an episode: what happened on each rung, and when. */
export function Ladder({ view, detail }: { readonly view: InterventionView; readonly detail: RunDetail }) {
  const timeOf = useRunClock();
  const rungs = detail.rungs[view.detector];
  const episode = detail.interventions.filter(({ episode: each }) => each === view.episode);
  return (
    <ol class="ladder" aria-label="Ladder of this episode">
      {levels.map((level) => {
        const own = episode.filter((step) => step.level === level);
        const step = own.find(({ seq }) => seq >= view.seq) ?? own.at(-1);
        const rung = rungs?.[level] ?? 0;
        return (
          <li
            class={`${level}${step === undefined ? "" : step.isApplied ? " done" : " would"}`}
            aria-current={step?.seq === view.seq ? "step" : undefined}
          >
            {step === undefined ? (
              <LevelMark level={level} />
            ) : (
              <a href={`#e${step.seq}`}>
                <LevelMark level={level} />
              </a>
            )}
            <p>
              {step === undefined
                ? rung > 0
                  ? `from ${rung}`
                  : "off"
                : `${ordinal(step.times)} · ${timeOf(step.at) ?? `turn ${step.turn}`}`}
            </p>
            <p>{step === undefined ? (rung > 0 ? "not reached" : "") : rungWords(step)}</p>
          </li>
        );
      })}
    </ol>
  );
}

function rungWords({ isApplied, question, answer, followed, level }: InterventionView): string {
  if (answer !== null && answer.answer !== "none")
    return `you: ${{ stop: "stop", continue: "continue", tell: "told it" }[answer.answer]}`;
  if (answer === null && question !== null) return "asks you";
  if (!isApplied) return "would have";
  if (level === "halt") return "ended";
  return followed === true ? "followed" : followed === false ? "not followed" : "";
}
