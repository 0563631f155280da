import { scaleTo, shareOf, usdTick } from "../../charts/scale.ts";
import {
  limitName,
  limitTick,
  type Measure,
  type Sweep,
  type SweepPoint,
  savedAt,
  savedText,
  sweepSentence,
} from "./sweep-words.ts";

interface SweepChartProps {
  readonly sweep: Sweep;
  readonly measure: Measure;
  readonly index: number;
  readonly onIndex: (index: number) => void;
}

/** Good runs stopped use the lower part of the chart, so that the line of what is saved stays above them. */
const BARS_SHARE = 0.5;
const MOST_LABELS = 14;
const KNOB_PX = 9;

/** The saved amount as a line, good runs stopped as bars, and a slider that chooses a limit. */
export function SweepChart({ sweep, measure, index, onIndex }: SweepChartProps) {
  const { points, by } = sweep;
  const scale = scaleTo(Math.max(0, ...points.map((point) => savedAt(point, measure))), {
    count: 5,
    minStep: measure === "calls" ? 1 : 0,
  });
  const mostStopped = Math.max(1, ...points.map(({ stoppedGood }) => stoppedGood.length));
  const x = (at: number) => ((at + 0.5) / points.length) * 100;
  const y = (point: SweepPoint) => 100 - shareOf(scale, savedAt(point, measure));
  const barTop = ({ stoppedGood }: SweepPoint) => 100 - (stoppedGood.length / mostStopped) * BARS_SHARE * 100;
  const every = Math.ceil(points.length / MOST_LABELS);
  const isLabelled = (at: number) => at === index || (at % every === 0 && Math.abs(at - index) >= every / 2);
  const half = Math.min(1.6, 40 / points.length);
  const chosen = points[index];
  const firstStopped = points.findIndex(({ stoppedGood }) => stoppedGood.length > 0);
  const savedLabelAt = Math.round((points.length - 1) * 0.8);
  const savedLabel = points[savedLabelAt];
  return (
    <div>
      <div class="chart sweep-chart">
        <svg class="fit" viewBox="0 0 100 100" preserveAspectRatio="none" role="img">
          <title>{sweepSentence(sweep, measure)}</title>
          {scale.ticks.map((tick) => (
            <path class={tick === 0 ? "base" : "grid"} d={`M0 ${100 - shareOf(scale, tick)}H100`} />
          ))}
          {points.map((point, at) =>
            point.stoppedGood.length === 0 ? null : (
              <path
                class={`stopped ${at === index ? "chosen" : ""}`}
                d={`M${x(at) - half} 100V${barTop(point)}h${half * 2}V100Z`}
              />
            ),
          )}
          <path class="saved" d={`M${points.map((point, at) => `${x(at)} ${y(point)}`).join("L")}`} />
        </svg>
        {scale.ticks.map((tick, at) => (
          <span
            class={`y ${at % 2 === 1 && scale.ticks.length > 4 ? "odd" : ""}`}
            style={{ "--y": String(100 - shareOf(scale, tick)) }}
          >
            {measure === "usd" ? usdTick(tick, scale.step) : tick.toLocaleString("en-US")}
          </span>
        ))}
        <i class="vline here" style={{ "--x": String(x(index)) }} />
        {points.map((point, at) =>
          point.stoppedGood.length === 0 || !isLabelled(at) ? null : (
            <span class="count-above" style={{ "--x": String(x(at)), "--y": String(barTop(point)) }} aria-hidden="true">
              {point.stoppedGood.length}
            </span>
          ),
        )}
        {firstStopped !== -1 && points[firstStopped] !== undefined && (
          <span
            class="count-above name"
            style={{ "--x": String(x(firstStopped) - half), "--y": String(barTop(points[firstStopped])) }}
          >
            Good runs stopped
          </span>
        )}
        {savedLabel !== undefined && (
          <span class="saved-name" style={{ "--x": String(x(savedLabelAt)), "--y": String(y(savedLabel)) }}>
            Saved
          </span>
        )}
        {chosen !== undefined && (
          <span class="knob" style={{ "--x": String(x(index)), "--y": String(y(chosen)) }} aria-hidden="true" />
        )}
        {points.map((point, at) =>
          isLabelled(at) ? (
            <span class={`x ${xClass(at, index)}`} style={{ "--x": String(x(at)) }}>
              {limitTick(point.limit, by)}
            </span>
          ) : null,
        )}
      </div>
      <div class="dial">
        <input
          type="range"
          aria-label={names[by]}
          min={0}
          max={points.length - 1}
          step={1}
          value={index}
          aria-valuetext={chosen === undefined ? undefined : valueText(chosen, sweep, measure)}
          style={{
            marginLeft: `calc(${x(0)}% - ${KNOB_PX}px)`,
            width: `calc(${x(points.length - 1) - x(0)}% + ${KNOB_PX * 2}px)`,
          }}
          onInput={(event) => onIndex(Number(event.currentTarget.value))}
        />
        <p class="ends" aria-hidden="true">
          <span>stop early</span>
          <span>{names[by].toLowerCase()}</span>
          <span>stop late</span>
        </p>
      </div>
    </div>
  );
}

/** On narrow screens every second label and the neighbours of the chosen one are left out. */
function xClass(at: number, chosen: number): string {
  if (at === chosen) return "chosen";
  return at % 2 === 1 || Math.abs(at - chosen) === 1 ? "odd" : "";
}

const names = {
  calls: "Equal calls before the run is ended",
  cost: "Cost before the run is ended",
  turns: "Turns before the run is ended",
} as const satisfies Record<Sweep["by"], string>;

function valueText(point: SweepPoint, { by }: Sweep, measure: Measure): string {
  const saved = savedText(savedAt(point, measure), measure);
  return `${limitName(point.limit, by)}: saves ${saved}, stops ${point.stoppedGood.length} good runs`;
}
