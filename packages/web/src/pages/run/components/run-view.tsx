import { useEffect, useMemo, useState } from "preact/hooks";
import { location, navigate } from "../../../app/router.tsx";
import type { InterventionView, RunDetail } from "../../../contract/index.ts";
import { needsSeconds } from "../../../format/times.ts";
import { CommandNote } from "../../../parts/command-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { TellField } from "../../../parts/tell-field.tsx";
import { liveHead } from "../model/live-head.ts";
import { defaultIntervention, interventionFor } from "../model/selection.ts";
import { buildStory } from "../model/story.ts";
import { isShown, type StoryFilter } from "../model/story-filter.ts";
import type { LoadedRun } from "../use-run.ts";
import { Card } from "./card.tsx";
import { ContinueField } from "./continue-field.tsx";
import { Lanes } from "./lanes.tsx";
import { OpenQuestions } from "./open-questions.tsx";
import { PlanGraph } from "./plan-lane.tsx";
import { RelatedRuns } from "./related-runs.tsx";
import { HasSeconds } from "./run-clock.ts";
import { RunHead } from "./run-head.tsx";
import { useRunKeys } from "./run-keys.ts";
import type { StoryContext } from "./story-context.ts";
import { StoryPanel } from "./story-panel.tsx";
import type { StoryTab } from "./story-tab.ts";

/** The page of a run whose head is loaded: one selection links axis, story and card. */
export function RunView({ detail: loadedDetail, loaded }: { readonly detail: RunDetail; readonly loaded: LoadedRun }) {
  const { model, live, version, hasEvents, eventsProblem, unreadable } = loaded;
  const detail = useMemo(() => liveHead(loadedDetail, model), [loadedDetail, version]);
  const { interventions } = detail;
  const [tab, setTab] = useState<StoryTab>("story");
  const [filter, setFilter] = useState<StoryFilter>(null);
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [target, setTarget] = useState<{ readonly key: string } | null>(null);
  const story = useMemo(() => buildStory(model.items, interventions), [version, interventions]);
  const bySeq = useMemo(() => new Map(interventions.map((view) => [view.seq, view])), [interventions]);

  const hashSeq = seqOf(location.value.hash);
  const selectedRow = hashSeq === null ? undefined : story.rows[story.rowOf(hashSeq)];
  const view = useMemo(
    () =>
      hashSeq === null ? defaultIntervention(interventions) : interventionFor(interventions, hashSeq, selectedRow),
    [interventions, hashSeq, selectedRow?.key],
  );
  const selectedSeq = hashSeq ?? view?.seq ?? null;
  const selectedAt = useMemo(() => timeOf(loaded, bySeq, selectedSeq), [selectedSeq, version, bySeq]);
  const shownRow = selectedRow ?? (view === undefined ? undefined : story.rows[story.rowOf(view.seq)]);

  const select = (seq: number) =>
    navigate(`${location.value.path}${location.value.search}#e${seq}`, { isReplaced: true });

  // Following a link opens the fold of the event and brings it into view.
  useEffect(() => {
    if (!hasEvents || hashSeq === null || selectedRow === undefined) return;
    if (filter !== null && !isShown(selectedRow, filter)) setFilter(null);
    const isInside = selectedRow.seq !== hashSeq && selectedRow.type !== "item";
    if (isInside) setOpened((before) => new Map(before).set(selectedRow.key, true));
    setTarget({ key: selectedRow.key });
  }, [hashSeq, hasEvents]);

  const context: StoryContext = {
    detail,
    model,
    interventions: bySeq,
    selectedSeq,
    selectedKey: shownRow?.key ?? null,
    isOpen: (key, byDefault) => opened.get(key) ?? byDefault,
    setOpen: (key, isOpen) => setOpened((before) => new Map(before).set(key, isOpen)),
  };
  const step = (direction: -1 | 1) => {
    const next = neighbour(interventions, view, direction);
    if (next !== undefined) select(next.seq);
  };
  const copied = useRunKeys({
    story,
    filter,
    context,
    shownRow,
    chosenRow: selectedRow,
    select,
    step,
    resumeCommand: detail.run.resumeCommand,
    selectedSeq,
  });

  const ranMs = (detail.run.endedAt ?? model.lastAt ?? Date.now()) - detail.run.startedAt;
  return (
    <HasSeconds.Provider value={needsSeconds(ranMs)}>
      <RunHead detail={detail} onChanged={loaded.detail.reload} />
      <OpenQuestions run={detail.run} />
      {detail.accepts.includes("continue") && <ContinueField runId={detail.run.id} />}
      {detail.accepts.includes("steer") && detail.run.waitsFor === null && (
        <TellField runId={detail.run.id} label="Tell the agent something. It reads it after this turn." />
      )}
      {unreadable > 0 && (
        <p class="panel run-note">
          <Icon name="warn" />
          {unreadable} {unreadable === 1 ? "event" : "events"} of this run could not be read; the rest is shown.
        </p>
      )}
      {eventsProblem !== undefined && (
        <p class="panel run-note" role="alert">
          <Icon name="warn" />
          The events of this run could not be loaded: {eventsProblem}
        </p>
      )}
      <Lanes
        detail={detail}
        model={model}
        version={version}
        story={story}
        selectedSeq={selectedSeq}
        selectedAt={selectedAt}
        onSelect={select}
      />
      <PlanGraph plans={detail.plans} />
      <div class={`cols${interventions.length === 0 ? " no-card" : ""}`}>
        <StoryPanel
          story={story}
          context={context}
          live={live}
          version={version}
          hasEvents={hasEvents}
          tab={tab}
          onTab={setTab}
          filter={filter}
          onFilter={setFilter}
          target={target}
        />
        {interventions.length > 0 && (
          <Card view={view} detail={detail} model={model} onStep={step} onChanged={loaded.detail.reload} />
        )}
      </div>
      <RelatedRuns detail={detail} />
      <div class="copied-note">
        <CommandNote result={copied} />
      </div>
    </HasSeconds.Provider>
  );
}

/** The event that the fragment of the address names: `#e44`. */
function seqOf(hash: string): number | null {
  const match = /^#e(\d+)$/.exec(hash);
  return match === null ? null : Number(match[1]);
}

function timeOf({ model }: LoadedRun, views: ReadonlyMap<number, InterventionView>, seq: number | null): number | null {
  if (seq === null) return null;
  return views.get(seq)?.at ?? model.events.find((event) => event.seq === seq)?.at ?? null;
}

function neighbour(
  views: readonly InterventionView[],
  current: InterventionView | undefined,
  direction: -1 | 1,
): InterventionView | undefined {
  const index = current === undefined ? -1 : views.findIndex(({ seq }) => seq === current.seq);
  return index < 0 ? views[direction === 1 ? 0 : views.length - 1] : views[index + direction];
}
