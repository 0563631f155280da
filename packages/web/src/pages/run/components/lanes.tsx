import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useShortcuts } from "../../../app/keys.ts";
import type { RunDetail } from "../../../contract/index.ts";
import { usd } from "../../../format/amounts.ts";
import { clock, duration } from "../../../format/times.ts";
import { useNow } from "../../../parts/use-now.ts";
import { createAxis, type Span, steppedEnd } from "../model/axis.ts";
import { foldSpans } from "../model/fold-spans.ts";
import { wouldHaveEnded } from "../model/lanes.ts";
import { type RunModel, valueAt } from "../model/run-model.ts";
import type { Story } from "../model/story.ts";
import { ContextLane } from "./context-lane.tsx";
import { CostLane } from "./cost-lane.tsx";
import { GoalLane } from "./goal-lane.tsx";
import { GuardianLane } from "./guardian-lane.tsx";
import type { LaneContext } from "./lane-context.ts";
import { LanesBar } from "./lanes-bar.tsx";
import { PlanLane } from "./plan-lane.tsx";
import { TimeLane } from "./time-lane.tsx";
import { ToolsLane } from "./tools-lane.tsx";
import { usePointer } from "./use-pointer.ts";
import { useWidth } from "./use-width.ts";

interface LanesProps {
  readonly detail: RunDetail;
  readonly model: RunModel;
  readonly version: number;
  readonly story: Story;
  readonly selectedSeq: number | null;
  readonly selectedAt: number | null;
  readonly onSelect: (seq: number) => void;
}

/** All lanes on one time axis, with one crosshair, one selection, and zoom. */
export function Lanes({ detail, model, version, story, selectedSeq, selectedAt, onSelect }: LanesProps) {
  const [isFolded, setFolded] = useState(false);
  const [zoom, setZoom] = useState<Span | null>(null);
  const over = useRef<HTMLDivElement>(null);
  const width = useWidth(over);
  const { run } = detail;
  const start = Math.min(run.startedAt, model.startedAt ?? run.startedAt);
  const spans = useMemo(() => foldSpans(story.rows, detail.interventions), [story, detail.interventions]);
  const pointer = useRef(false);
  const { now, end } = useEnd(detail, model, pointer);
  const axis = useMemo(
    () =>
      createAxis({
        domain: zoom ?? { from: start, to: end },
        folds: isFolded ? spans : [],
        maxTicks: Math.max(2, Math.min(10, width / 110)),
        offsetMinutes: -new Date(start).getTimezoneOffset(),
      }),
    [zoom, start, end, isFolded, spans, width],
  );

  // A selection outside of the zoomed part moves the axis there.
  useEffect(() => {
    if (zoom === null || selectedAt === null || (selectedAt >= zoom.from && selectedAt <= zoom.to)) return;
    const half = (zoom.to - zoom.from) / 2;
    setZoom({ from: selectedAt - half, to: selectedAt + half });
  }, [selectedAt]);

  const reset = () => {
    setZoom(null);
    setFolded(false);
  };
  useShortcuts("Time axis", [
    { keys: "z", label: "Fold repeats", action: () => setFolded((before) => !before) },
    { keys: "0", label: "Whole run", action: reset },
  ]);
  const { onPointer, cursor, drag } = usePointer({
    over,
    axis,
    isInside: pointer,
    labelAt: (at) => {
      const cost = valueAt(model.costs, at);
      return `${clock(at, axis.stepMs < 15 * 60_000)}${cost === null ? "" : ` · ${usd(cost)}`}`;
    },
    onZoom: setZoom,
    onPick: (at) => {
      const call = nearestCall(model, at);
      if (call !== undefined) onSelect(call);
    },
  });

  const context: LaneContext = { detail, model, version, axis, width, now, selectedSeq };
  const would = wouldHaveEnded(detail.interventions);
  const place = (at: number | null | undefined) => {
    const x = at === null || at === undefined ? -1 : axis.x(at);
    return x < 0 || x > 100 ? null : x;
  };
  const [wouldX, selectedX] = [place(would?.at), place(selectedAt)];
  return (
    <section class="panel lanes" aria-labelledby="timeline">
      <h2 class="vh" id="timeline">
        Timeline
      </h2>
      <LanesBar
        isFolded={isFolded}
        canFold={spans.length > 0}
        foldedText={isFolded && axis.foldedMs > 0 ? `${duration(axis.foldedMs)} folded` : null}
        zoomText={zoom === null ? null : `${clock(zoom.from, true)} – ${clock(zoom.to, true)}`}
        onFold={setFolded}
        onReset={reset}
      />
      <div class="lanes-body" {...onPointer}>
        <div class="under">
          {axis.ticks.map(({ x }) => (
            <i class="vline tick" style={{ "--x": x }} />
          ))}
        </div>
        <GuardianLane context={context} onSelect={onSelect} />
        <CostLane context={context} />
        <ContextLane context={context} />
        <ToolsLane context={context} />
        <GoalLane context={context} />
        <PlanLane context={context} />
        <TimeLane axis={axis} />
        <div class="over" ref={over}>
          {wouldX !== null && <i class="vline would" style={{ "--x": wouldX }} />}
          {selectedX !== null && <i class="vline sel" style={{ "--x": selectedX }} />}
          {axis.folds.map(({ fromX, toX }) => (
            <>
              <i class="vline fold" style={{ "--x": fromX }} />
              <i class="vline fold" style={{ "--x": toX }} />
            </>
          ))}
          <i class="drag" ref={drag} />
          <i class="vline cursor" ref={cursor}>
            <b />
          </i>
        </div>
      </div>
      {zoom !== null && (
        <p class="vh" role="status">
          Zoomed to {clock(zoom.from)} – {clock(zoom.to)}.
        </p>
      )}
    </section>
  );
}

/** The end of the axis: the end of the run; while it runs, a step ahead of now, and still under the pointer. */
function useEnd(
  { run }: RunDetail,
  model: RunModel,
  pointer: { readonly current: boolean },
): { readonly now: number; readonly end: number } {
  const now = useNow(run.isLive ? 1_000 : undefined);
  const kept = useRef(0);
  const lastAt = Math.max(run.endedAt ?? 0, model.lastAt ?? run.startedAt);
  if (!run.isLive) return { now: lastAt, end: lastAt };
  const newest = Math.max(now, lastAt);
  const end = steppedEnd(run.startedAt, newest);
  if (kept.current === 0 || !pointer.current) kept.current = end;
  return { now: newest, end: kept.current };
}

function nearestCall({ calls }: RunModel, at: number): number | undefined {
  let best: { readonly seq: number; readonly distance: number } | undefined;
  for (const call of calls) {
    const distance = Math.min(Math.abs(call.at - at), Math.abs(call.at + (call.ms ?? 0) - at));
    if (best === undefined || distance < best.distance) best = { seq: call.seq, distance };
  }
  return best?.seq;
}
