import { usd } from "../../../format/amounts.ts";
import { Icon } from "../../../parts/icon.tsx";
import { stepText } from "../model/step-text.ts";
import type { Step } from "../model/story-steps.ts";
import { Anchor } from "./anchor.tsx";
import { useRunClock } from "./run-clock.ts";
import type { StoryContext } from "./story-context.ts";

const SAME_MOMENT_MS = 10_000;

/** Whether the step of the guardian before an answer, or before the mute that it means, says it already. */
function isTold(step: Step, { interventions }: StoryContext): boolean {
  if (step.type !== "answer" && step.type !== "muted") return false;
  return [...interventions.values()].some(({ id, episode, answer }) => {
    if (answer === null) return false;
    if (step.type === "answer") return id === step.interventionId;
    return episode === step.episode && Math.abs(answer.at - step.at) < SAME_MOMENT_MS;
  });
}

/** What the guardian and the user did about a repetition, step by step. */
export function GuardianSteps({ steps, context }: { readonly steps: readonly Step[]; readonly context: StoryContext }) {
  const timeOf = useRunClock();
  return (
    <ol class="steps">
      {steps
        .filter((step) => !isTold(step, context))
        .map((step) => {
          const { icon, level, title, detail } = stepText(step, context.interventions.get(step.seq));
          const isSelected = step.seq === context.selectedSeq;
          return (
            <li class={level ?? ""} id={`e${step.seq}`} aria-current={isSelected ? "true" : undefined}>
              <Icon name={icon} />
              <time>{timeOf(step.at) ?? `turn ${step.turn}`}</time>
              <span>
                <a href={`#e${step.seq}`}>{isSelected ? <b>{title}</b> : title}</a> <span class="muted">{detail}</span>
              </span>
              <span class="num">
                {"costUsd" in step && step.costUsd !== null && usd(step.costUsd)}{" "}
                <Anchor seq={step.seq} what="this step" />
              </span>
            </li>
          );
        })}
    </ol>
  );
}
