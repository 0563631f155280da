import type { ComponentChildren } from "preact";
import type { InterventionView, RunDetail } from "../../../contract/index.ts";
import { usd } from "../../../format/amounts.ts";
import { Icon } from "../../../parts/icon.tsx";
import { levelIcons } from "../../../parts/level-mark.tsx";
import { Sentence } from "../../../parts/sentence.tsx";
import type { RunModel } from "../model/run-model.ts";
import { isAskedIn, levelWords } from "../model/step-text.ts";
import { Anchor } from "./anchor.tsx";
import { CourseSection } from "./course-section.tsx";
import { EvidenceSection } from "./evidence-section.tsx";
import { JudgeSection } from "./judge-section.tsx";
import { Ladder } from "./ladder.tsx";
import { useRunClock } from "./run-clock.ts";
import { WhatIfSection } from "./what-if-section.tsx";

interface CardProps {
  readonly view: InterventionView | undefined;
  readonly detail: RunDetail;
  readonly model: RunModel;
  readonly onStep: (direction: -1 | 1) => void;
  readonly onChanged: () => void;
}

/** The selected intervention. The order of its parts never changes; a part without content is left out. */
export function Card({ view, detail, model, onStep, onChanged }: CardProps) {
  const timeOf = useRunClock();
  if (view === undefined)
    return (
      <CardFrame>
        <p class="empty">Choose an intervention on the axis or in the story.</p>
      </CardFrame>
    );
  const { level, isLimit, isApplied } = view;
  const mark = isLimit ? "limit" : level;
  const title = isLimit
    ? level === "halt"
      ? "Limit reached"
      : "Limit warning"
    : levelWords(level, isApplied, isAskedIn(view));
  return (
    <CardFrame>
      <header>
        <span class={`lvl ${mark}`}>
          <Icon name={levelIcons[mark]} />
        </span>
        <h2>
          {title}
          {timeOf(view.at) === null ? "" : ` at ${timeOf(view.at)}`}
        </h2>
        <span class="faint">turn {view.turn}</span>
        <span class="grow" />
        <button
          type="button"
          class="btn quiet icon small"
          aria-label="Previous intervention"
          onClick={() => onStep(-1)}
        >
          <Icon name="up" />
        </button>
        <button type="button" class="btn quiet icon small" aria-label="Next intervention" onClick={() => onStep(1)}>
          <Icon name="down" />
        </button>
        <Anchor seq={view.seq} what="this intervention" />
      </header>
      <section>
        <p class="fact">
          <Sentence parts={view.fact} />
        </p>
        <p class="faint source">
          {view.detector}
          {view.runUsd !== null && detail.run.costUsd !== null && ` · ${usd(view.runUsd)} spent`}
          {view.loopUsd !== null && view.loopUsd > 0.0005 && ` · ${usd(view.loopUsd)} of it on the loop`}
        </p>
        {!isLimit && <Ladder view={view} detail={detail} />}
        {!isLimit && Math.abs(view.times - view.count) >= 0.25 && (
          <p class="faint source">
            It happened {view.times} times and counts as {countText(view.count)}: calls that are only similar count less
            than one each. The levels act by that count.
          </p>
        )}
      </section>
      <EvidenceSection view={view} model={model} />
      {view.message !== "" && (
        <section class={mark}>
          <h3>
            {view.notice !== null ? "Sent to the model" : "What it says"}{" "}
            <span class="faint">
              {view.notice !== null
                ? `exact words, after the results of turn ${view.turn}`
                : "the model did not read it"}
            </span>
          </h3>
          <ExactWords text={view.notice ?? view.message} />
        </section>
      )}
      <CourseSection view={view} model={model} />
      {!isLimit && <WhatIfSection detail={detail} answer={view.answer} />}
      <JudgeSection key={view.id} view={view} detail={detail} model={model} onChanged={onChanged} />
    </CardFrame>
  );
}

/** "4.5", "6". */
function countText(count: number): string {
  return count.toFixed(1).replace(/\.0$/, "");
}

function CardFrame({ children }: { readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region can take the focus
    <aside class="panel card" id="card" aria-label="Selected intervention" tabIndex={0}>
      {children}
    </aside>
  );
}

/** The words as they were sent: the tag in its own type, the text as it is. */
function ExactWords({ text }: { readonly text: string }) {
  const match = /^(<[^>]+>)([\s\S]*)(<\/[^>]+>)$/.exec(text.trim());
  if (match === null) return <blockquote class="said">{text}</blockquote>;
  const [, open, words, close] = match;
  return (
    <blockquote class="said">
      <span class="wire">{open}</span>
      {words}
      <span class="wire">{close}</span>
    </blockquote>
  );
}
