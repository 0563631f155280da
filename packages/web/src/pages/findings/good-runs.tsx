import { useState } from "preact/hooks";
import { Link } from "../../app/router.tsx";
import type { Findings } from "../../contract/index.ts";
import { Sentence } from "../../parts/sentence.tsx";
import type { SweepPoint } from "./sweep-words.ts";

interface GoodRunsProps {
  readonly goodRuns: Findings["goodRuns"];
  readonly point: SweepPoint | undefined;
}

const FEW = 6;

/** The good runs that come nearest to being stopped, by name, and what the chosen limit does to each. */
export function GoodRuns({ goodRuns, point }: GoodRunsProps) {
  const [isAll, setAll] = useState(false);
  const stopped = new Set(point?.stoppedGood);
  const shown = isAll ? goodRuns : goodRuns.slice(0, FEW);
  const hidden = goodRuns.length - shown.length;
  return (
    <section class="panel" aria-labelledby="good-runs">
      <div class="phead">
        <h2 id="good-runs">Good runs it would have stopped</h2>
        <p class="grow">
          {stopped.size} at this setting{hidden > 0 ? `; the ${shown.length} nearest are shown` : ""}
        </p>
      </div>
      {goodRuns.length === 0 && <p class="muted pad">No limit of this comparison would have stopped a good run.</p>}
      {goodRuns.length > 0 && (
        <table class="tbl">
          <thead>
            <tr>
              <th scope="col">Run that finished</th>
              <th scope="col" class="r">
                At this setting
              </th>
              <th scope="col" class="wide">
                Why it looked alike
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, sentence, project, why }) => (
              <tr key={id} class={stopped.has(id) ? "" : "spared"}>
                <td>
                  <Link class="link" href={`/runs/${encodeURIComponent(id)}`}>
                    <Sentence parts={sentence} />
                  </Link>{" "}
                  <span class="faint">{project}</span>
                </td>
                <td class="r num">{stopped.has(id) ? "stopped" : "spared"}</td>
                <td class="muted wide">{why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(hidden > 0 || isAll) && (
        <p class="more">
          <button type="button" class="btn quiet small" onClick={() => setAll(!isAll)}>
            {isAll ? "Show fewer" : `Show all ${goodRuns.length}`}
          </button>
        </p>
      )}
    </section>
  );
}
