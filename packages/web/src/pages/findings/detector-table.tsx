import type { Findings } from "../../contract/index.ts";
import { counted, usd } from "../../format/amounts.ts";

interface DetectorTableProps {
  readonly findings: Findings;
  /** The detector whose runs are listed below; undefined for all. */
  readonly chosen: string | undefined;
  readonly onChoose: (detector: string | undefined) => void;
}

/** What each detector found. Choosing one lists only its runs below. */
export function DetectorTable({ findings: { detectors, totals }, chosen, onChoose }: DetectorTableProps) {
  const isPriced = detectors.some((row) => row.usd !== null);
  const mostUsd = Math.max(0, ...detectors.map((row) => row.usd ?? 0));
  return (
    <section class="panel" aria-labelledby="by-detector">
      <div class="phead">
        <h2 id="by-detector">By detector</h2>
        <p class="grow">{counted(totals.stuckRuns, "stuck run")}</p>
      </div>
      {detectors.length === 0 && <p class="muted pad">No detector found anything in these runs.</p>}
      {detectors.length > 0 && (
        <table class="tbl">
          <thead>
            <tr>
              <th scope="col">Detector</th>
              <th scope="col" class="r">
                Runs
              </th>
              {isPriced && <th scope="col">Cost of the loops</th>}
              <th scope="col" class="r wide">
                Judged right
              </th>
            </tr>
          </thead>
          <tbody>
            {detectors.map((row) => (
              <tr key={row.detector} class={row.detector === chosen ? "chosen" : ""}>
                <td>
                  <button
                    type="button"
                    class="link plain"
                    aria-pressed={row.detector === chosen}
                    title="List only its runs below"
                    onClick={() => onChoose(row.detector === chosen ? undefined : row.detector)}
                  >
                    {row.detector}
                  </button>
                </td>
                <td class="r num">{row.runs.toLocaleString("en-US")}</td>
                {isPriced && (
                  <td>
                    <div class="barcell">
                      <span class="meter" aria-hidden="true">
                        <i class="work" style={{ width: `${mostUsd === 0 ? 0 : ((row.usd ?? 0) / mostUsd) * 100}%` }} />
                      </span>
                      <span class={`num r ${row.usd === null ? "faint" : ""}`}>{usd(row.usd)}</span>
                    </div>
                  </td>
                )}
                <td class="r wide muted num">{row.judged === 0 ? "–" : `${row.judgedRight} of ${row.judged}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
