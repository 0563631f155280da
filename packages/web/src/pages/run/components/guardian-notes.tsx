import type { InterventionView } from "../../../contract/index.ts";
import { counted } from "../../../format/amounts.ts";
import { clock } from "../../../format/times.ts";
import type { EpisodeBar } from "../model/lanes.ts";
import type { Pin } from "../model/pins.ts";
import type { LaneContext } from "./lane-context.ts";

/** In the longest stretch that was only watched: why, and what it meant. */
export function WatchedNote({
  bars,
  context: { axis, width, model, detail },
}: {
  readonly bars: readonly EpisodeBar[];
  readonly context: LaneContext;
}) {
  const watched = bars
    .filter(({ isWould }) => isWould)
    .map((bar) => ({ bar, from: Math.max(0, axis.x(bar.from)), to: Math.min(100, axis.x(bar.to)) }))
    .sort((a, b) => b.to - b.from - (a.to - a.from))[0];
  if (watched === undefined || ((watched.to - watched.from) / 100) * width < 190) return null;
  const { bar, from, to } = watched;
  const failures = model.calls.filter(({ at, isFailed }) => isFailed && at > bar.from && at < bar.to).length;
  const answer = answerBefore(detail.interventions, bar);
  const isWide = ((to - from) / 100) * width > 560;
  return (
    <span class="note plate" style={{ "--x": from + Math.min(4, (to - from) * 0.1), "--y": "54px" }}>
      {answer !== undefined && isWide
        ? `You let it continue at ${clock(answer)}. After that the guardian only watched`
        : answer !== undefined
          ? "Muted by you"
          : "The guardian only watched"}
      {failures > 0 && (
        <>
          : <b>{counted(failures, "more failure")}</b>
        </>
      )}
    </span>
  );
}

function answerBefore(interventions: readonly InterventionView[], bar: EpisodeBar): number | undefined {
  const own = interventions.find(({ seq }) => seq === bar.seq);
  return interventions.findLast(
    ({ episode, answer }) => episode === own?.episode && answer?.answer === "continue" && answer.at <= bar.from,
  )?.answer?.at;
}

/** Pixels that the words beside a limit take. */
const LIMIT_WORDS_PX = 110;

/** The words beside the glyphs of limits; where they would cover each other, the first ones stay. */
export function LimitNotes({ pins, context }: { readonly pins: readonly Pin[]; readonly context: LaneContext }) {
  const gap = (LIMIT_WORDS_PX * 2 * 100) / context.width;
  const limits = pins.filter(({ level, isShown }) => level === "limit" && isShown);
  const shown = pins.filter(({ isShown }) => isShown);
  const isFree = ({ x }: Pin) => shown.every((other) => other.x <= x || other.x - x > gap / 2);
  const free = limits.filter(
    (pin, index) => isFree(pin) && limits.slice(0, index).every((other) => pin.x - other.x > gap),
  );
  return (
    <>
      {free.map((pin) => (
        <LimitNote pin={pin} context={context} />
      ))}
    </>
  );
}

function LimitNote({ pin, context: { detail, width } }: { readonly pin: Pin; readonly context: LaneContext }) {
  const view = detail.interventions.find(({ seq }) => seq === pin.seq);
  const { limitUsd } = detail.run;
  if (view === undefined) return null;
  const share =
    view.detector === "run-cost" && limitUsd !== null && view.runUsd !== null ? view.runUsd / limitUsd : null;
  const text = share === null ? view.detector : `${Math.round(share * 100)} % of limit`;
  const isRight = pin.x > 88;
  const gap = (16 / width) * 100;
  return (
    <span
      class={`note desk${isRight ? " right" : ""}`}
      style={{ "--x": pin.x + (isRight ? -gap : gap), "--y": "22px" }}
    >
      {text}
    </span>
  );
}
