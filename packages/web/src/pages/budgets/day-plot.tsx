import { useState } from "preact/hooks";
import { Link } from "../../app/router.tsx";
import { axisWidth, scaleTo, shareOf, usdTick } from "../../charts/scale.ts";
import type { Budgets } from "../../contract/index.ts";
import { counted, usd } from "../../format/amounts.ts";
import { barAt, barLabels, barName, barsSentence, type DayBar, totalUsd } from "./day-bars.ts";
import { DayPicker } from "./day-picker.tsx";
import { loopAddress } from "./loop-address.ts";
import { type NotePlace, placeNote } from "./note-place.ts";

interface DayPlotProps {
  readonly bars: readonly DayBar[];
  readonly today: string;
  readonly loops: Budgets["loops"];
  /** The limit of a day and its warning; null where no line is drawn. */
  readonly limitUsd: number | null;
  readonly warnUsd: number | null;
}

/** The bars of work and loops, with lines for the limit, the dearest loop by name, and the numbers of a chosen day. */
export function DayPlot({ bars, today, loops, limitUsd, warnUsd }: DayPlotProps) {
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const scale = scaleTo(Math.max(limitUsd ?? 0, ...bars.map(totalUsd)), { count: 3, headroom: 0.1 });
  const y = (amount: number) => 100 - shareOf(scale, amount);
  const annotation = dearestLoop(loops, bars);
  const tops = bars.map((each) => y(totalUsd(each)));
  const place = annotation === undefined ? undefined : placeNote(tops, annotation.index);
  const areWordsRight = place?.isLeft !== true; // the words of the lines stand at the other end
  const bar = chosen === undefined ? undefined : bars[chosen];
  return (
    <div class="chart day-chart" style={{ "--axis": axisWidth(scale.ticks.map((tick) => usdTick(tick, scale.step))) }}>
      <svg class="fit" viewBox="0 0 100 100" preserveAspectRatio="none" role="img">
        <title>{barsSentence(bars, today, limitUsd)}</title>
        {chosen !== undefined && (
          <rect class="slot" x={(chosen / bars.length) * 100} y="0" width={100 / bars.length} height="100" />
        )}
        {scale.ticks.map((tick) => (
          <path class={tick === 0 ? "base" : "grid"} d={`M0 ${y(tick)}H100`} />
        ))}
        {warnUsd !== null && <path class="warn-line" d={`M0 ${y(warnUsd)}H100`} />}
        {limitUsd !== null && <path class="limit-line" d={`M0 ${y(limitUsd)}H100`} />}
        <path class="work" d={barPath(bars, ({ workUsd }) => [y(0), y(workUsd)])} />
        <path
          class="loop"
          d={barPath(bars, (each) => (each.loopUsd > 0 ? [y(each.workUsd), y(totalUsd(each))] : undefined))}
        />
      </svg>
      {scale.ticks.map((tick) => (
        <span class="y" style={{ "--y": String(y(tick)) }}>
          {usdTick(tick, scale.step)}
        </span>
      ))}
      {barLabels(bars, today).map(({ index, text }) => (
        <span class="x" style={{ "--x": String(center(bars, index)) }}>
          {text}
        </span>
      ))}
      {limitUsd !== null && <LineWords text={`day limit ${usd(limitUsd)}`} y={y(limitUsd)} isRight={areWordsRight} />}
      {warnUsd !== null && <LineWords text={`warning at ${usd(warnUsd)}`} y={y(warnUsd)} isRight={areWordsRight} />}
      <DayPicker
        bars={bars}
        chosen={chosen}
        onChoose={setChosen}
        nameOf={(each) => `${barName(each, today)}: ${usd(totalUsd(each))}, ${usd(each.loopUsd)} of it in loops`}
      />
      {annotation !== undefined && place !== undefined && (
        <>
          {place.isAbove && (
            <i
              class="leader"
              style={{
                "--x": String(center(bars, annotation.index)),
                "--y": String(place.y),
                "--to": String(tops[annotation.index] ?? 100),
              }}
            />
          )}
          <p
            class={`note plate ${place.isLeft ? "right" : ""}`}
            style={{ "--x": String(noteEdge(bars, annotation.index, place)), "--y": `${place.y}%` }}
          >
            <b>{usd(annotation.loop.usd)}</b> in one loop
            <br />
            <Link class="link" href={loopAddress(annotation.loop)}>
              <span class="cut">{annotation.loop.what}</span>, {counted(annotation.loop.times, "time")}
            </Link>
          </p>
        </>
      )}
      {bar !== undefined && chosen !== undefined && (
        <p class="readout" style={{ "--x": String(center(bars, chosen)) }} aria-hidden="true">
          <b>{barName(bar, today)}</b>
          <span>
            work <b>{usd(bar.workUsd)}</b>
          </span>
          <span>
            loops <b>{usd(bar.loopUsd)}</b>
          </span>
        </p>
      )}
    </div>
  );
}

function LineWords({ text, y, isRight }: { readonly text: string; readonly y: number; readonly isRight: boolean }) {
  return (
    <span class={`line-words ${isRight ? "right" : ""}`} style={{ "--y": String(y) }}>
      {text}
    </span>
  );
}

function center(bars: readonly DayBar[], index: number): number {
  return ((index + 0.5) / bars.length) * 100;
}

function halfWidth(bars: readonly DayBar[]): number {
  return (bars.length > 40 ? 0.36 : 0.3) * (100 / bars.length);
}

/** One path for all bars: each from one height to another. */
function barPath(bars: readonly DayBar[], heightsOf: (bar: DayBar) => readonly [number, number] | undefined): string {
  const half = halfWidth(bars);
  return bars
    .map((bar, index) => {
      const heights = heightsOf(bar);
      if (heights === undefined) return "";
      const [from, to] = heights;
      return `M${center(bars, index) - half} ${from}V${to}h${half * 2}V${from}Z`;
    })
    .join("");
}

/** The dearest loop of the time shown, and the bar of its day. */
function dearestLoop(loops: Budgets["loops"], bars: readonly DayBar[]) {
  const [loop] = loops.filter(({ at }) => barAt(bars, at) !== undefined).toSorted((a, b) => b.usd - a.usd);
  const index = loop === undefined ? undefined : barAt(bars, loop.at);
  return loop === undefined || index === undefined || loop.usd <= 0 ? undefined : { loop, index };
}

/** Words beside a bar begin at its edge, words above it at the line that leads to it. */
function noteEdge(bars: readonly DayBar[], index: number, { isLeft, isAbove }: NotePlace): number {
  if (isAbove) return center(bars, index);
  return center(bars, index) + (isLeft ? -1 : 1) * halfWidth(bars);
}
