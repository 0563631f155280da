import { Icon } from "../../parts/icon.tsx";
import { limitName, type Measure, type Sweep, savedAt, savedText } from "./sweep-words.ts";

interface SweepNumbersProps {
  readonly sweep: Sweep;
  readonly measure: Measure;
  readonly index: number;
  readonly isShown: boolean;
  readonly onToggle: (isShown: boolean) => void;
  readonly onIndex: (index: number) => void;
}

/** The numbers of the chart as a table; a row can be chosen like a place of the slider. */
export function SweepNumbers({ sweep, measure, index, isShown, onToggle, onIndex }: SweepNumbersProps) {
  return (
    <details class="numbers" open={isShown} onToggle={(event) => onToggle(event.currentTarget.open)}>
      <summary>
        <Icon name="chev" class="chev" />
        The numbers of this chart
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls can take the focus */}
      <section class="box" tabIndex={0} aria-label="The numbers of this chart">
        <table class="tbl">
          <thead>
            <tr>
              <th scope="col">Ended at</th>
              <th scope="col" class="r">
                Saved
              </th>
              <th scope="col" class="r">
                Good runs stopped
              </th>
            </tr>
          </thead>
          <tbody>
            {sweep.points.map((point, at) => (
              <tr key={point.limit} class={at === index ? "chosen" : ""}>
                <td>
                  <button type="button" class="link plain" aria-pressed={at === index} onClick={() => onIndex(at)}>
                    {limitName(point.limit, sweep.by)}
                  </button>{" "}
                  {point.limit === sweep.current && <span class="tag">in force</span>}
                </td>
                <td class="r num">{savedText(savedAt(point, measure), measure)}</td>
                <td class="r num">{point.stoppedGood.length}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
