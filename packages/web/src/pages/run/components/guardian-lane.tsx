import { useMemo } from "preact/hooks";
import { counted } from "../../../format/amounts.ts";
import { clock } from "../../../format/times.ts";
import { Icon } from "../../../parts/icon.tsx";
import { LevelMark, levelIcons } from "../../../parts/level-mark.tsx";
import { type EpisodeBar, episodeBars } from "../model/lanes.ts";
import { type Pin, pinsOf } from "../model/pins.ts";
import { LimitNotes, WatchedNote } from "./guardian-notes.tsx";
import { Lane } from "./lane.tsx";
import type { LaneContext } from "./lane-context.ts";
import { useRunClock } from "./run-clock.ts";

const HEIGHT = 78;
/** Pixels. */
const barHeights = { hint: 9, warn: 17, block: 25, halt: 33 } as const;
const pinTops: Readonly<Record<Pin["level"], number>> = {
  hint: 47,
  warn: 39,
  block: 30,
  halt: 21,
  you: 22,
  limit: 20,
  recovered: 49,
};
const MIN_PIN_GAP_PX = 20;

/** What the guardian did: episodes as bars by level, limits and answers as glyphs. */
export function GuardianLane({
  context,
  onSelect,
}: {
  readonly context: LaneContext;
  readonly onSelect: (seq: number) => void;
}) {
  const timeOf = useRunClock();
  const { detail, model, version, axis, width, now, selectedSeq } = context;
  const { interventions } = detail;
  const bars = useMemo(() => episodeBars(interventions, model.items, now), [interventions, version, now]);
  const pins = useMemo(
    () => pinsOf(interventions, model.items, { axis, selectedSeq, minGap: (MIN_PIN_GAP_PX / width) * 100 }),
    [interventions, version, axis, selectedSeq, width],
  );
  const episodes = new Set(interventions.filter(({ isLimit }) => !isLimit).map(({ episode }) => episode)).size;
  const limits = interventions.filter(({ isLimit }) => isLimit).length;
  const last = interventions.findLast(({ isLimit, isApplied }) => !isLimit && isApplied) ?? interventions.at(-1);
  return (
    <Lane
      title="Guardian"
      detail={
        interventions.length === 0
          ? "no intervention"
          : [
              ...(episodes > 0 ? [counted(episodes, "episode")] : []),
              ...(limits > 0 ? [counted(limits, "limit")] : []),
            ].join(", ")
      }
      height={HEIGHT}
      value={
        last === undefined ? (
          <span class="faint">Quiet</span>
        ) : (
          <LevelMark level={last.isLimit ? "limit" : last.level} />
        )
      }
      {...(last === undefined
        ? {}
        : { valueDetail: timeOf(last.at) === null ? `turn ${last.turn}` : `at ${timeOf(last.at)}` })}
    >
      {interventions.length === 0 && (
        <span class="note plate" style={{ "--x": "1", "--y": "32px" }}>
          The guardian had nothing to say in this run.
        </span>
      )}
      {bars.map((bar) => (
        <Bar bar={bar} context={context} onSelect={onSelect} />
      ))}
      <WatchedNote bars={bars} context={context} />
      {pins.map((pin, index) => (
        <PinLink
          pin={pin}
          isSelected={pin.seq === selectedSeq}
          next={pins[index + 1]}
          previous={pins[index - 1]}
          onSelect={onSelect}
        />
      ))}
      <LimitNotes pins={pins} context={context} />
    </Lane>
  );
}

function Bar({
  bar,
  context: { axis },
  onSelect,
}: {
  readonly bar: EpisodeBar;
  readonly context: LaneContext;
  readonly onSelect: (seq: number) => void;
}) {
  const from = Math.max(0, axis.x(bar.from));
  const to = Math.min(100, axis.x(bar.to));
  if (to < 0 || from > 100) return null;
  const level = bar.isWould ? `Only watched: would have reached ${bar.level}` : bar.level;
  const words = `${level}, ${clock(bar.from)} to ${clock(bar.to)}`;
  return (
    <button
      type="button"
      tabIndex={-1}
      class={`ep ${bar.level}${bar.isWould ? " would" : ""}`}
      style={{ "--x": from, "--w": Math.max(0, to - from), "--eh": `${barHeights[bar.level]}px` }}
      aria-label={words}
      title={words}
      onClick={() => onSelect(bar.seq)}
    />
  );
}

interface PinLinkProps {
  readonly pin: Pin;
  readonly isSelected: boolean;
  readonly next: Pin | undefined;
  readonly previous: Pin | undefined;
  readonly onSelect: (seq: number) => void;
}

/** A glyph. Arrow keys go to its neighbours, also to those that are covered. */
function PinLink({ pin, isSelected, next, previous, onSelect }: PinLinkProps) {
  const go = (to: Pin | undefined, event: KeyboardEvent) => {
    if (to === undefined) return;
    event.preventDefault();
    onSelect(to.seq);
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`.pin[href="#e${to.seq}"]`)?.focus());
  };
  return (
    <a
      class={`pin ${pin.level}${isSelected ? " sel" : ""}${pin.isApplied ? "" : " would"}`}
      style={{ "--x": pin.x, "--y": `${pinTops[pin.level]}px` }}
      href={`#e${pin.seq}`}
      hidden={!pin.isShown}
      aria-label={`${pin.label}, ${clock(pin.at)}${isSelected ? ", selected" : ""}`}
      title={`${pin.label}, ${clock(pin.at)}`}
      onKeyDown={(event) => {
        if (event.key === "ArrowRight") go(next, event);
        if (event.key === "ArrowLeft") go(previous, event);
      }}
    >
      <Icon name={pin.level === "you" ? "person" : levelIcons[pin.level]} />
    </a>
  );
}
