import { axisWidth, shareOf, usdTick } from "../../charts/scale.ts";
import { SweepDial } from "./sweep-dial.tsx";
import { sweepLayout } from "./sweep-layout.ts";
import { limitTick, type Measure, type Sweep, sweepSentence } from "./sweep-words.ts";

interface SweepChartProps {
  readonly sweep: Sweep;
  readonly measure: Measure;
  readonly index: number;
  readonly onIndex: (index: number) => void;
}

const MOST_LABELS = 14;

/** The saved amount as a line, good runs stopped as bars, and a slider that chooses a limit. */
export function SweepChart({ sweep, measure, index, onIndex }: SweepChartProps) {
  const { points, by } = sweep;
  const { scale, columns, halfWidth, stoppedName, savedName } = sweepLayout(points, measure);
  const every = Math.ceil(points.length / MOST_LABELS);
  const isLabelled = (at: number) => at === index || (at % every === 0 && Math.abs(at - index) >= every / 2);
  const chosen = columns[index];
  const tickText = (tick: number) => (measure === "usd" ? usdTick(tick, scale.step) : tick.toLocaleString("en-US"));
  return (
    <div style={{ "--axis": axisWidth(scale.ticks.map(tickText)) }}>
      <div class="chart sweep-chart">
        <svg class="fit" viewBox="0 0 100 100" preserveAspectRatio="none" role="img">
          <title>{sweepSentence(sweep, measure)}</title>
          {scale.ticks.map((tick) => (
            <path class={tick === 0 ? "base" : "grid"} d={`M0 ${100 - shareOf(scale, tick)}H100`} />
          ))}
          {columns.map(({ x, barTop, stopped }, at) =>
            stopped === 0 ? null : (
              <path
                class={`stopped ${at === index ? "chosen" : ""}`}
                d={`M${x - halfWidth} 100V${barTop}h${halfWidth * 2}V100Z`}
              />
            ),
          )}
          <path class="saved" d={`M${columns.map(({ x, savedY }) => `${x} ${savedY}`).join("L")}`} />
        </svg>
        {scale.ticks.map((tick, at) => (
          <span class={`y ${isSpare(at, scale.ticks.length)}`} style={{ "--y": String(100 - shareOf(scale, tick)) }}>
            {tickText(tick)}
          </span>
        ))}
        {chosen !== undefined && <i class="vline here" style={{ "--x": String(chosen.x) }} />}
        {columns.map(({ x, barTop, stopped }, at) =>
          stopped === 0 || !isLabelled(at) ? null : (
            <span class="count-above" style={{ "--x": String(x), "--y": String(barTop) }} aria-hidden="true">
              {stopped}
            </span>
          ),
        )}
        {stoppedName !== undefined && (
          <span
            class={`count-above name ${stoppedName.isAboveBar ? "" : "beside"}`}
            style={{ "--x": String(stoppedName.x), "--y": String(stoppedName.y) }}
          >
            Good runs stopped
          </span>
        )}
        {savedName !== undefined && (
          <span class="saved-name" style={{ "--x": String(savedName.x), "--y": String(savedName.y) }}>
            Saved
          </span>
        )}
        {chosen !== undefined && (
          <span class="knob" style={{ "--x": String(chosen.x), "--y": String(chosen.savedY) }} aria-hidden="true" />
        )}
        {columns.map(({ x }, at) =>
          isLabelled(at) ? (
            <span class={`x ${xClass(at, index)}`} style={{ "--x": String(x) }}>
              {limitTick(points[at]?.limit ?? 0, by)}
            </span>
          ) : null,
        )}
      </div>
      <SweepDial sweep={sweep} measure={measure} index={index} onIndex={onIndex} />
    </div>
  );
}

/** On narrow screens every second label is left out, and the neighbours of the chosen one. */
function xClass(at: number, chosen: number): string {
  if (at === chosen) return "chosen";
  return at % 2 === 1 || Math.abs(at - chosen) === 1 ? "odd" : "";
}

function isSpare(at: number, count: number): string {
  return at % 2 === 1 && count > 4 ? "odd" : "";
}
