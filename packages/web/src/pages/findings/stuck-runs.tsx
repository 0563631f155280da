import { useState } from "preact/hooks";
import { Link } from "../../app/router.tsx";
import type { Findings } from "../../contract/index.ts";
import { usd } from "../../format/amounts.ts";
import { Icon } from "../../parts/icon.tsx";
import { Sentence } from "../../parts/sentence.tsx";

interface StuckRunsProps {
  readonly stuck: Findings["stuck"];
  readonly detector: string | undefined;
  readonly onAllDetectors: () => void;
}

const FEW = 20;

/** The runs that got stuck, the dearest first. */
export function StuckRuns({ stuck, detector, onAllDetectors }: StuckRunsProps) {
  const [isAll, setAll] = useState(false);
  const found = detector === undefined ? stuck : stuck.filter((run) => run.detector === detector);
  const shown = isAll ? found : found.slice(0, FEW);
  const isPriced = found.some(({ stuckUsd }) => stuckUsd !== null);
  return (
    <section class="panel spaced" aria-labelledby="stuck-runs">
      <div class="phead">
        <h2 id="stuck-runs">Stuck runs</h2>
        <p class="grow">{isPriced ? "dearest first" : "those with most calls first"}</p>
        {detector !== undefined && (
          <button type="button" class="btn small" onClick={onAllDetectors}>
            <Icon name="x" />
            only {detector}
          </button>
        )}
      </div>
      {found.length === 0 && <p class="muted pad">No run got stuck.</p>}
      {found.length > 0 && (
        <table class="tbl">
          <thead>
            <tr>
              <th scope="col">What happened</th>
              <th scope="col" class="wide">
                Source
              </th>
              <th scope="col" class="wide">
                Detector
              </th>
              <th scope="col" class={`r ${isPriced ? "wide" : ""}`}>
                Repeats
              </th>
              {isPriced && (
                <>
                  <th scope="col" class="r">
                    Their cost
                  </th>
                  <th scope="col" class="r wide">
                    First hint at
                  </th>
                  <th scope="col" class="r">
                    Would have saved
                  </th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((run) => (
              <tr key={run.id}>
                <td>
                  <Link class="link" href={`/runs/${encodeURIComponent(run.id)}`}>
                    <Sentence parts={run.sentence} />
                  </Link>{" "}
                  <span class="faint">{run.project}</span>
                </td>
                <td class="wide muted">{run.source}</td>
                <td class="wide muted">{run.detector}</td>
                <td class={`r num ${isPriced ? "wide" : ""}`}>{run.calls.toLocaleString("en-US")}</td>
                {isPriced && (
                  <>
                    <td class={`r num ${run.stuckUsd === null ? "faint" : ""}`}>{usd(run.stuckUsd)}</td>
                    <td class={`r num wide ${run.firstHintUsd === null ? "faint" : "muted"}`}>
                      {usd(run.firstHintUsd)}
                    </td>
                    <SavedCell savedUsd={run.savedUsd} />
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {found.length > FEW && (
        <p class="more">
          <button type="button" class="btn quiet small" onClick={() => setAll(!isAll)}>
            {isAll ? "Show fewer" : `Show all ${found.length}`}
          </button>
        </p>
      )}
    </section>
  );
}

/** What ending the run saves; a dash if it would not have been ended, or if its price is unknown. */
function SavedCell({ savedUsd }: { readonly savedUsd: number | null }) {
  const isSaved = savedUsd !== null && savedUsd > 0;
  return <td class={`r num ${isSaved ? "ok" : "faint"}`}>{isSaved ? usd(savedUsd) : "–"}</td>;
}
