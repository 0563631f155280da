import { duration } from "@sheepdog/agent/timeline";
import { agentLabel } from "../../../look-back/agent-label.ts";
import { causeLabel } from "../../../look-back/cause-label.ts";
import type { EpisodeFacts, EpisodeIntervention, LookBackRun } from "../../../look-back/look-back-run.ts";
import type { WorstRun } from "../../../look-back/worst-runs.ts";
import { counted } from "../../../render/terminal/amounts.ts";
import { usdText } from "../../../sentences/amount-text.ts";
import { plainSentence } from "../../../sentences/say.ts";
import { shortened } from "../../../sentences/shortened.ts";
import { stopText } from "../worst-lines.ts";
import { evidence } from "./evidence.ts";
import { type Html, html } from "./html.ts";
import { icon } from "./icon.ts";
import { nameText, pathText } from "./name-text.ts";
import { sentenceHtml } from "./sentence-html.ts";
import { ladder } from "./timeline/ladder.ts";
import { timeline } from "./timeline/timeline.ts";
import { momentText } from "./times.ts";

/** Loops of a run that are shown with their evidence; the dearest, in the order of the run. */
const MAX_LOOPS = 5;
const MAX_TASK_CHARS = 220;

/** How one of the worst runs is shown. */
export interface WorstSetup {
  /** Counted from 1. */
  readonly place: number;
  readonly program: string;
}

/** One of the worst runs: what happened, what it cost, its timeline, and the evidence of each loop. */
export async function worstRun(worst: WorstRun, { place, program }: WorstSetup): Promise<Html> {
  const { run, sentence, costUsd, calls, stop } = worst;
  const loops = await shownLoops(run, place === 1);
  const inMoney = costUsd !== null;
  const title = sentenceHtml(sentence);
  const dot = plainSentence(sentence).endsWith("…") ? "" : ".";
  const isHypothetical = stop !== undefined && stop.remaining.calls > 0;
  const mark = isHypothetical ? html` <span class="tag">hypothetical</span>` : undefined;
  return html`
    <article class="panel worst" id="worst-${place}" aria-labelledby="worst-${place}-title">
      <header>
        <span class="place" aria-hidden="true">${place}</span>
        <div class="what">
          <h3 id="worst-${place}-title">${title}${dot}</h3>
          <p class="facts">${facts(worst)}</p>
          ${task(run)}
          <p class="stop">${stopText(worst)}${mark}</p>
        </div>
        <p class="amount">
          <b>${inMoney ? usdText(costUsd) : counted(calls, "call")}</b>
          <small>in circles${inMoney ? `, ${counted(calls, "call")}` : ""}</small>
        </p>
      </header>
      ${timeline(run)}
      ${loops}
      <p class="command">
        <span class="faint">The whole run:</span>
        <code>${program} show ${run.id}</code>
        <span class="faint file"><bdi>${pathText(run.file)}</bdi>${run.line > 1 ? `, line ${run.line}` : ""}</span>
      </p>
    </article>
  `;
}

/** When it was, which agent and model, where, and how long. */
function facts({ run, startedAt, ms, otherLoops }: WorstRun): readonly Html[] {
  const all: readonly (string | null)[] = [
    startedAt === null ? null : momentText(startedAt),
    agentLabel(run.source),
    run.project,
    run.model,
    ms === null || ms < 1_000 ? null : `${duration(ms)} in circles`,
    otherLoops === 0 ? null : `${counted(otherLoops, "more loop")}`,
  ];
  return all.flatMap((fact) => (fact === null || fact === "" ? [] : html`<span><bdi>${nameText(fact)}</bdi></span>`));
}

function task({ task: text }: LookBackRun): Html {
  if (text === null || text.trim() === "") return html``;
  const line = shortened(text.replace(/\s+/g, " ").trim(), MAX_TASK_CHARS);
  return html`<p class="task"><span class="faint">Task</span> <bdi>${line}</bdi></p>`;
}

async function shownLoops(run: LookBackRun, isOpen: boolean): Promise<Html> {
  const weight = ({ costUsd, repeats, interventions }: EpisodeFacts) =>
    (costUsd ?? 0) * 1e6 + repeats + interventions.length / 1e3;
  const dearest = new Set(run.episodes.toSorted((a, b) => weight(b) - weight(a)).slice(0, MAX_LOOPS));
  const shown = run.episodes.filter((episode) => dearest.has(episode));
  const main = run.episodes.toSorted((a, b) => weight(b) - weight(a))[0];
  const left = run.episodes.length - shown.length;
  const blocks = await Promise.all(shown.map((episode) => loop(episode, isOpen && episode === main)));
  const more =
    left > 0
      ? html`<p class="faint more">and ${counted(left, "smaller loop")}, which the timeline shows</p>`
      : undefined;
  return html`<div class="loops-of-run">${blocks}${more}</div>`;
}

/** A loop: opened, what the guardian would have done, the calls compared, and what it would have said. */
async function loop(episode: EpisodeFacts, isOpen: boolean): Promise<Html> {
  const { sentence, repeats, costUsd, detector, interventions } = episode;
  const money = costUsd === null || costUsd === 0 ? "" : `, ${usdText(costUsd)}`;
  const amount = repeats === 0 ? "" : `${counted(repeats, "repeat")}${money}`;
  const said = interventions.at(-1);
  return html`
    <details class="fold loop-fold"${isOpen ? html` open` : undefined}>
      <summary>
        ${icon("chev")}
        <span class="loop-head">
          <span class="loop-name">${sentenceHtml(sentence)}</span>
          <span class="tag">${causeLabel(detector)}</span>
          <span class="num muted">${amount}</span>
        </span>
      </summary>
      <div class="loop-body">
        ${ladder(episode)}
        ${await evidence(episode)}
        ${said === undefined ? undefined : words(said)}
      </div>
    </details>
  `;
}

function words({ level, message }: EpisodeIntervention): Html {
  return html`<div class="said ${level}"><h4>What it would have told the agent</h4><p>${message}</p></div>`;
}
