import { useEffect, useState } from "preact/hooks";
import { load } from "../../api/client.ts";
import { useReloadOnEvents } from "../../app/live.ts";
import { location, navigate } from "../../app/router.tsx";
import type { Findings } from "../../contract/index.ts";
import { FramePanel, Loaded } from "../../parts/loaded.tsx";
import { Segments } from "../../parts/segments.tsx";
import { useDocument } from "../../parts/use-document.ts";
import { useRowKeys } from "../../parts/use-row-keys.ts";
import { AnalysisProgress } from "./analysis-progress.tsx";
import { DetectorTable } from "./detector-table.tsx";
import { ExportButton } from "./export-button.tsx";
import { findingsSummary } from "./findings-summary.ts";
import { GoodRuns } from "./good-runs.tsx";
import { NoRecordings, Places } from "./places.tsx";
import { StuckRuns } from "./stuck-runs.tsx";
import { isComparable, SweepPanel } from "./sweep-panel.tsx";
import { firstIndex, type SweepBy } from "./sweep-words.ts";

const ALL_DAYS = 4_000;
const spans = [
  { value: 30, text: "30 days" },
  { value: 90, text: "90 days" },
  { value: ALL_DAYS, text: "All" },
] as const;
const POLL_MS = 1_000;
const RELOAD_MS = 15_000;

/** The page `/findings`: what the guardian finds in runs and recordings, and what limits would have saved. */
export default function FindingsPage() {
  const query = new URLSearchParams(location.value.search);
  const days = spans.find(({ value }) => value === Number(query.get("days")))?.value ?? 30;
  const by = (["calls", "cost", "turns"] as const).find((each) => each === query.get("by")) ?? "calls";
  const findings = useDocument(`findings ${days} ${by}`, (signal) => load("findings", { query: { days, by }, signal }));
  const { value, isLoading, reload } = findings;
  useRowKeys("Findings");
  useReloadOnEvents(reload, RELOAD_MS);
  const isRunning = value !== undefined && value.progress.done < value.progress.total;
  useEffect(() => {
    if (!isRunning || isLoading) return undefined;
    const timer = setTimeout(reload, POLL_MS);
    return () => clearTimeout(timer);
  }, [isRunning, isLoading, reload]);
  const go = (to: { readonly days?: number; readonly by?: SweepBy }) =>
    navigate(`/findings?${new URLSearchParams({ days: String(to.days ?? days), by: to.by ?? by })}`, {
      isReplaced: true,
    });
  return (
    <>
      <div class="page-head">
        <div class="grow">
          <h1>Findings</h1>
          <p>{value === undefined ? "\u00a0" : findingsSummary(value, days === ALL_DAYS ? undefined : days)}</p>
        </div>
        <Segments label="Time shown" value={days} options={spans} onChange={(each) => go({ days: each })} />
        <ExportButton value={value} fileName={`sheepdog-findings-${by}.json`} />
      </div>
      <Loaded document={findings} frame={<FindingsFrame />}>
        {(each) => (
          <FindingsContent
            findings={each}
            isRunning={isRunning}
            days={days}
            by={by}
            onBy={(next) => go({ by: next })}
            onChanged={reload}
          />
        )}
      </Loaded>
    </>
  );
}

interface FindingsContentProps {
  readonly findings: Findings;
  readonly isRunning: boolean;
  readonly days: number;
  readonly by: SweepBy;
  readonly onBy: (by: SweepBy) => void;
  readonly onChanged: () => void;
}

function FindingsContent({ findings, isRunning, days, by, onBy, onChanged }: FindingsContentProps) {
  const { sweep, totals, places } = findings;
  const [chosen, setChosen] = useState<{ readonly by: SweepBy; readonly limit: number } | undefined>(undefined);
  const [detector, setDetector] = useState<string | undefined>(undefined);
  const chosenIndex = chosen?.by === sweep.by ? sweep.points.findIndex(({ limit }) => limit === chosen.limit) : -1;
  const index = chosenIndex === -1 ? firstIndex(sweep) : chosenIndex;
  if (totals.runs === 0 && !isRunning) return <NoRecordings places={places} />;
  return (
    <>
      {isRunning && <AnalysisProgress progress={findings.progress} />}
      <SweepPanel
        findings={findings}
        spanText={days === ALL_DAYS ? "in all runs" : `in ${days} days`}
        by={by}
        index={index}
        onIndex={(next) => setChosen({ by: sweep.by, limit: sweep.points[next]?.limit ?? 0 })}
        onBy={onBy}
        onChanged={onChanged}
      />
      <div class={isComparable(findings) ? "two" : "spaced"}>
        {isComparable(findings) && <GoodRuns goodRuns={findings.goodRuns} point={sweep.points[index]} />}
        <DetectorTable findings={findings} chosen={detector} onChoose={setDetector} />
      </div>
      <StuckRuns stuck={findings.stuck} detector={detector} onAllDetectors={() => setDetector(undefined)} />
      <Places places={places} />
    </>
  );
}

function FindingsFrame() {
  return (
    <>
      <FramePanel lines={1} height="390px" />
      <div class="two">
        <FramePanel lines={6} />
        <FramePanel lines={6} />
      </div>
      <FramePanel lines={6} />
    </>
  );
}
