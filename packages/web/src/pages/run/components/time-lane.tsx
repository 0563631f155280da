import { clock, duration, shortDate } from "../../../format/times.ts";
import type { Axis } from "../model/axis.ts";
import { timeText } from "../model/time-text.ts";

/** The words of the time axis. */
export function TimeLane({ axis }: { readonly axis: Axis }) {
  const isTimed = timeText(axis.domain.from) !== null;
  const hasSeconds = axis.stepMs < 60_000;
  return (
    <div class="lane axis">
      <header>{isTimed ? shortDate(axis.domain.from) : "No times"}</header>
      <div class="views">
        <div class="plot">
          {isTimed &&
            axis.ticks.map(({ at, x }) => (
              <span class="note mid" style={{ "--x": x }}>
                {clock(at, hasSeconds)}
              </span>
            ))}
          {axis.folds.map(
            ({ from, to, fromX, toX }) =>
              toX - fromX > 6 && (
                <span class="note mid folded" style={{ "--x": (fromX + toX) / 2 }}>
                  <span class="desk">{duration(to - from)}, </span>folded
                </span>
              ),
          )}
        </div>
      </div>
      <footer>{isTimed ? "local time" : "in order"}</footer>
    </div>
  );
}
