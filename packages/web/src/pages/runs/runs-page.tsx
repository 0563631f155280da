import { useCallback, useMemo, useState } from "preact/hooks";
import { openDialog } from "../../app/dialogs.ts";
import { useShortcuts } from "../../app/keys.ts";
import { overview } from "../../app/overview.ts";
import { location, navigate } from "../../app/router.tsx";
import type { RunRow } from "../../contract/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { KeysHint } from "../../parts/keys-hint.tsx";
import { FramePanel, Loaded } from "../../parts/loaded.tsx";
import { OlderButton } from "../../parts/older-button.tsx";
import { useNow } from "../../parts/use-now.ts";
import { type DayGroup, groupByDay } from "./day-groups.ts";
import { FilterBar } from "./filter-bar.tsx";
import { focusRow, RunListRow, rowId, runPath } from "./run-row.tsx";
import { daySummary, filteredSummary, liveSummary, runsSummary } from "./runs-summary.ts";
import { useRunList } from "./use-run-list.ts";

const none: readonly never[] = [];
/** Guesses for what is not drawn yet. */
const HEAD_PX = 28;
const ROW_PX = 62;

/** The page `/runs`: live runs first, then the others by day. The filter is in the address. */
export default function RunsPage() {
  const filter = new URLSearchParams(location.value.search).get("q") ?? "";
  const { document: loaded, filterProblem, older, loadOlder } = useRunList(filter);
  const { live = none, runs = none, nextBefore = null } = loaded.value?.list ?? {};
  const now = useNow(60_000);
  const liveNow = useNow(live.length > 0 ? 1_000 : undefined);
  const groups = useMemo(() => groupByDay(runs, now), [runs, now]);
  const { selectedId, select } = useSelection(live, runs);
  const dayToTell = groups.find(({ name }) => name === "Last night") ?? groups[0];
  const isWhole = (group: DayGroup) => group !== groups.at(-1) || nextBefore === null;
  const summary = (shownFilter: string) =>
    shownFilter === ""
      ? runsSummary(live, dayToTell !== undefined && isWhole(dayToTell) ? dayToTell : undefined)
      : filteredSummary(live.length + runs.length, nextBefore !== null);
  return (
    <>
      <div class="page-head">
        <div class="grow">
          <h1>Runs</h1>
          <p>{loaded.value === undefined ? " " : summary(loaded.value.filter)}</p>
        </div>
        <button class="btn primary" type="button" onClick={openNewRun}>
          <Icon name="play" />
          New run
          <KeysHint keys="n" />
        </button>
      </div>
      <FilterBar
        filter={filter}
        problem={filterProblem}
        projects={loaded.value?.projects ?? none}
        models={loaded.value?.models ?? none}
        sources={loaded.value?.sources ?? none}
        onChange={setFilter}
      />
      <Loaded document={loaded} frame={<FramePanel lines={8} height="420px" />}>
        {() => (
          <>
            {live.length > 0 && (
              <RunGroup title="Live" note={liveSummary(live)} {...{ runs: live, now: liveNow, selectedId, select }} />
            )}
            {groups.map((group) => (
              <RunGroup
                key={group.name}
                title={group.name}
                note={noteOf(group, isWhole(group))}
                {...{ runs: group.runs, now: 0, selectedId, select }}
              />
            ))}
            {live.length + runs.length === 0 && <NoRuns filter={filter} />}
            {nextBefore !== null && <OlderButton text="Older runs" state={older} onWanted={loadOlder} />}
          </>
        )}
      </Loaded>
    </>
  );
}

interface RunGroupProps {
  readonly title: string;
  readonly note: string;
  readonly runs: readonly RunRow[];
  readonly now: number;
  readonly selectedId: string | undefined;
  readonly select: (id: string) => void;
}

function RunGroup({ title, note, runs, now, selectedId, select }: RunGroupProps) {
  return (
    <section class="group" style={{ containIntrinsicHeight: `auto ${HEAD_PX + runs.length * ROW_PX}px` }}>
      <h2>
        {title}
        <span>{note}</span>
      </h2>
      <ul class="panel runs">
        {runs.map((run) => (
          <RunListRow key={run.id} run={run} now={now} isSelected={run.id === selectedId} onSelect={select} />
        ))}
      </ul>
    </section>
  );
}

function NoRuns({ filter }: { readonly filter: string }) {
  const program = overview.value?.program ?? "sheepdog";
  if (filter !== "")
    return (
      <div class="panel empty">
        <p>No run matches “{filter}”.</p>
        <button class="btn" type="button" onClick={() => setFilter("")}>
          Clear the filter
        </button>
      </div>
    );
  return (
    <div class="panel empty">
      <p>
        No runs yet. Watch one: <code>{program} demo</code>. Or look back over what is on this disk:{" "}
        <code>{program} analyze</code>.
      </p>
    </div>
  );
}

/** The selected row, the first one by default, and the keys that act on it. */
function useSelection(live: readonly RunRow[], runs: readonly RunRow[]) {
  const [chosenId, setChosenId] = useState<string | undefined>(undefined);
  const all = useMemo(() => [...live, ...runs], [live, runs]);
  const chosen = all.findIndex(({ id }) => id === chosenId);
  const selectedId = all[Math.max(0, chosen)]?.id;
  const select = useCallback((id: string) => setChosenId(id), []);
  const move = (step: 1 | -1) => {
    const next = all[Math.min(all.length - 1, Math.max(0, Math.max(0, chosen) + step))];
    if (next === undefined) return;
    setChosenId(next.id);
    focusRow(next.id);
  };
  useShortcuts("Runs", [
    { keys: "j", label: "Next run", action: () => move(1) },
    { keys: "k", label: "Previous run", action: () => move(-1) },
    {
      keys: "Enter",
      label: "Open the run",
      action: () => {
        if (selectedId !== undefined) navigate(runPath(selectedId));
      },
    },
    { keys: "/", label: "Filter", action: () => document.getElementById("run-filter")?.focus() },
    {
      keys: "c",
      label: "Copy the command that resumes the run",
      action: () => {
        const row = selectedId === undefined ? null : document.getElementById(rowId(selectedId));
        row?.querySelector<HTMLElement>('[data-act="copy"]')?.click();
      },
    },
    { keys: "n", label: "New run", action: openNewRun },
  ]);
  return { selectedId, select };
}

function noteOf(group: DayGroup, isWhole: boolean): string {
  return isWhole ? daySummary(group) : group.date; // the sum of a day is known when all of it is loaded
}

function setFilter(filter: string): void {
  navigate(filter === "" ? "/runs" : `/runs?${new URLSearchParams({ q: filter })}`, { isReplaced: true });
}

function openNewRun(): void {
  openDialog.value = "new-run";
}
