import { load } from "../../api/client.ts";
import { useReloadOnEvents } from "../../app/live.ts";
import { location, navigate } from "../../app/router.tsx";
import { FramePanel, Loaded } from "../../parts/loaded.tsx";
import { Segments } from "../../parts/segments.tsx";
import { useDocument } from "../../parts/use-document.ts";
import { useRowKeys } from "../../parts/use-row-keys.ts";
import { DayChart } from "./day-chart.tsx";
import { LimitTable } from "./limit-table.tsx";
import { LoopTable } from "./loop-table.tsx";
import { ModelTable } from "./model-table.tsx";
import { ProjectTable } from "./project-table.tsx";
import { SpendingCells } from "./spending-cells.tsx";

const spans = [
  { value: 30, text: "30 days" },
  { value: 91, text: "Quarter" },
  { value: 365, text: "Year" },
] as const;
const RELOAD_MS = 3_000;

/** The page `/budgets`: costs against limits, split into work and loops. */
export default function BudgetsPage() {
  const wanted = Number(new URLSearchParams(location.value.search).get("days"));
  const days = spans.find(({ value }) => value === wanted)?.value ?? 30;
  const budgets = useDocument(`budgets ${days}`, (signal) => load("budgets", { query: { days }, signal }));
  useReloadOnEvents(budgets.reload, RELOAD_MS);
  useRowKeys("Budgets");
  return (
    <>
      <div class="page-head">
        <div class="grow">
          <h1>Budgets</h1>
          <p>{budgets.value?.summary ?? "\u00a0"}</p>
        </div>
        <Segments
          label="Time shown"
          value={days}
          options={spans}
          onChange={(value) => navigate(value === 30 ? "/budgets" : `/budgets?days=${value}`, { isReplaced: true })}
        />
      </div>
      <Loaded document={budgets} frame={<BudgetsFrame />}>
        {(value) => (
          <>
            <SpendingCells budgets={value} />
            <DayChart budgets={value} />
            <div class="two">
              <ProjectTable projects={value.projects} />
              <ModelTable budgets={value} onChanged={budgets.reload} />
            </div>
            <div class="two">
              <LimitTable limits={value.limits} onChanged={budgets.reload} />
              <LoopTable loops={value.loops} />
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

function BudgetsFrame() {
  return (
    <>
      <FramePanel lines={3} height="138px" />
      <FramePanel lines={1} height="300px" />
      <div class="two">
        <FramePanel lines={6} />
        <FramePanel lines={6} />
      </div>
    </>
  );
}
