import { useState } from "preact/hooks";
import type { Findings } from "../../contract/index.ts";
import { counted } from "../../format/amounts.ts";
import { Segments } from "../../parts/segments.tsx";
import { SweepChart } from "./sweep-chart.tsx";
import { SweepNumbers } from "./sweep-numbers.tsx";
import { SweepResult } from "./sweep-result.tsx";
import { measureOf, type SweepBy } from "./sweep-words.ts";

const kinds = [
  { value: "calls", text: "Equal calls" },
  { value: "cost", text: "Cost of a run" },
  { value: "turns", text: "Turns" },
] as const satisfies readonly { readonly value: SweepBy; readonly text: string }[];

interface SweepPanelProps {
  readonly findings: Findings;
  readonly spanText: string;
  /** What is asked for; the document follows when it is loaded. */
  readonly by: SweepBy;
  readonly index: number;
  readonly onIndex: (index: number) => void;
  readonly onBy: (by: SweepBy) => void;
  readonly onChanged: () => void;
}

/** What limits save against the good runs they stop, with a slider. */
export function SweepPanel({ findings, spanText, by, index, onIndex, onBy, onChanged }: SweepPanelProps) {
  const { sweep } = findings;
  const [isShown, setShown] = useState(false);
  const measure = measureOf(sweep.points);
  const canCompare = isComparable(findings);
  return (
    <section class="panel spaced" aria-labelledby="when">
      <div class="phead">
        <h2 id="when">When should {sweep.by === "calls" ? "the guardian" : "a limit"} end a run?</h2>
        <p class="grow">Earlier saves more and stops more good runs. Both are counted on your own recordings.</p>
        <Segments label="Compare" value={by} options={kinds} onChange={onBy} />
      </div>
      {!canCompare && <p class="pad">{whyNot(findings)}</p>}
      {canCompare && (
        <>
          <div class="trade">
            <SweepChart sweep={sweep} measure={measure} index={index} onIndex={onIndex} />
            <SweepResult
              findings={findings}
              spanText={spanText}
              measure={measure}
              index={index}
              onChanged={onChanged}
            />
          </div>
          <SweepNumbers
            sweep={sweep}
            measure={measure}
            index={index}
            isShown={isShown}
            onToggle={setShown}
            onIndex={onIndex}
          />
        </>
      )}
    </section>
  );
}

/** Whether there are enough runs and limits for a comparison. */
export function isComparable({ totals, sweep }: Findings): boolean {
  return totals.runs >= sweep.minRuns && sweep.points.length > 1;
}

function whyNot({ totals: { runs, costUsd }, sweep: { minRuns, by } }: Findings): string {
  if (runs < minRuns) {
    return `${counted(runs, "run")} ${runs === 1 ? "is" : "are"} too few to compare limits. It takes about ${minRuns}.`;
  }
  if (by === "cost" && costUsd === null) {
    return "The prices of these runs are not known, so their costs cannot be compared. Compare calls or turns instead.";
  }
  return "No run of this time comes near such a limit, so there is nothing to compare.";
}
