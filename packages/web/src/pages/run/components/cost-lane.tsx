import { useMemo } from "preact/hooks";
import { usd } from "../../../format/amounts.ts";
import { clock } from "../../../format/times.ts";
import { curve, wouldHaveEnded } from "../model/lanes.ts";
import { valueAt } from "../model/run-model.ts";
import { Drawing, Lane } from "./lane.tsx";
import type { LaneContext } from "./lane-context.ts";
import { useRunClock } from "./run-clock.ts";

const HEIGHT = 108;
/** A limit of which less is used would flatten the curve: it is left to the words. */
const MIN_SHARE = 0.15;
/** The width of the words "Would have been ended here": with less room they stand on the other side of the line. */
const WOULD_PX = 175;

/** What the run has spent, with its limit; the part after it would have been ended has the colour of loops. */
export function CostLane({ context }: { readonly context: LaneContext }) {
  const { detail, model, version, axis, width, now } = context;
  const { run, interventions } = detail;
  const limit = run.limitUsd;
  const spent = model.costs.at(-1)?.value ?? run.costUsd ?? 0;
  const highest = Math.min(spent, valueAt(model.costs, axis.domain.to) ?? spent); // of the part that is shown
  const isLimitDrawn = limit !== null && limit > 0 && highest / limit >= MIN_SHARE;
  const max = isLimitDrawn ? limit * 1.1 : Math.max(highest * 1.2, 1e-6);
  const would = wouldHaveEnded(interventions);
  const splitAt = would?.at ?? Number.POSITIVE_INFINITY;
  const curves = useMemo(() => {
    const start = { at: model.startedAt ?? axis.domain.from, value: 0 };
    const end = { at: now, value: spent };
    const split = { at: splitAt, value: valueAt(model.costs, splitAt) ?? 0 };
    const points = [start, ...model.costs, end];
    const options = { height: HEIGHT, max, columns: width, isStepped: true };
    return {
      before: curve(
        [...points.filter(({ at }) => at <= splitAt), ...(would === undefined ? [] : [split])],
        axis,
        options,
      ),
      after:
        would === undefined ? undefined : curve([split, ...points.filter(({ at }) => at > splitAt)], axis, options),
    };
  }, [version, axis, width, max, splitAt, now]);
  const y = (value: number) => HEIGHT - (value / max) * HEIGHT;
  const wouldUsd =
    would === undefined || run.costUsd === null ? null : (would.runUsd ?? valueAt(model.costs, would.at));
  return (
    <Lane
      title="Cost"
      detail="of the run"
      height={HEIGHT}
      value={usd(run.costUsd)}
      {...(limit === null ? {} : { valueDetail: `of ${usd(limit)}` })}
    >
      <Drawing height={HEIGHT} label={label(run.costUsd, limit, would === undefined ? null : clock(would.at))}>
        <path d={curves.before.area} fill="var(--ink)" opacity=".12" />
        <path d={curves.before.line} fill="none" stroke="var(--ink)" stroke-width="1.5" />
        {curves.after !== undefined && (
          <>
            <path d={curves.after.area} fill="var(--block-fill)" opacity=".15" />
            <path d={curves.after.line} fill="none" stroke="var(--block-fill)" stroke-width="1.5" />
          </>
        )}
        {isLimitDrawn && (
          <>
            <path d={`M0 ${y(limit)}H1000`} stroke="var(--ink)" opacity=".7" />
            <path d={`M0 ${y(limit * 0.8)}H1000`} stroke="var(--ink-3)" stroke-dasharray="3 4" opacity=".7" />
          </>
        )}
      </Drawing>
      {run.costUsd === null && model.costs.length === 0 && (
        <span class="note" style={{ "--x": "1", "--y": "46px" }}>
          The price of the model is unknown.
        </span>
      )}
      <CostNotes context={context} limitY={isLimitDrawn ? [y(limit), y(limit * 0.8)] : null} wouldUsd={wouldUsd} />
    </Lane>
  );
}

interface CostNotesProps {
  readonly context: LaneContext;
  readonly limitY: readonly [number, number] | null;
  readonly wouldUsd: number | null;
}

/** The words on the lines. */
function CostNotes({ context: { detail, axis, width }, limitY, wouldUsd }: CostNotesProps) {
  const timeOf = useRunClock();
  const { run, interventions } = detail;
  const would = wouldHaveEnded(interventions);
  const wouldX = would === undefined ? null : axis.x(would.at);
  const isWouldShown = wouldX !== null && wouldX >= 0 && wouldX <= 100;
  const warned = interventions.find(
    ({ level, isApplied, isLimit, episode }) =>
      level === "warn" && isApplied && !isLimit && (would === undefined || would.episode === episode),
  );
  const warnedX = warned === undefined ? -1 : axis.x(warned.at);
  const roomPx = wouldX === null ? 0 : ((100 - wouldX) / 100) * width; // on the right of the line
  const isRightOf = isWouldShown && roomPx < WOULD_PX;
  const noteX = isWouldShown && !isRightOf ? Math.max(12.5, wouldX + 2) : 12.5;
  const afterUsd = run.costUsd !== null && wouldUsd !== null ? run.costUsd - wouldUsd : null;
  return (
    <>
      {limitY !== null && run.limitUsd !== null && (
        <>
          <span class="note" style={{ "--x": noteX, "--y": `${limitY[0] + 2}px` }}>
            Limit <b>{usd(run.limitUsd)}</b>
          </span>
          {axis.folds.length === 0 && (
            <span class="note desk" style={{ "--x": noteX, "--y": `${limitY[1] + 2}px` }}>
              Warning at {usd(run.limitUsd * 0.8)}
            </span>
          )}
        </>
      )}
      {would !== undefined && isWouldShown && (
        <span
          class={`note${isRightOf ? " right" : ""}`}
          style={{
            "--x": wouldX + (isRightOf ? -0.7 : 0.7),
            "--y": width < 600 ? "33px" : axis.folds.length > 0 ? "42px" : "58px",
          }}
        >
          <b class="would-word">{width < 600 ? "Would have ended here" : "Would have been ended here"}</b>
          <br />
          {timeOf(would.at) ?? `turn ${would.turn}`}
          {wouldUsd === null ? "" : `, at ${usd(wouldUsd)}`}
        </span>
      )}
      {warned !== undefined && warnedX <= 100 && (warnedX / 100) * width > 92 && (
        <span class="note right desk" style={{ "--x": warnedX - 0.6, "--y": "86px" }}>
          Warned at <b>{usd(warned.runUsd)}</b>
        </span>
      )}
      {isWouldShown && afterUsd !== null && afterUsd > 0 && roomPx > WOULD_PX && (
        <span class="note right" style={{ "--x": "98.5", "--y": "86px" }}>
          <b>{usd(afterUsd)}</b> spent after this<span class="desk"> point</span>
        </span>
      )}
    </>
  );
}

function label(costUsd: number | null, limit: number | null, wouldAt: string | null): string {
  const limitText = limit === null ? "without a limit" : `of a limit of ${usd(limit)}`;
  const would = wouldAt === null ? "" : ` It would have been ended at ${wouldAt}.`;
  return `Cost over time: ${usd(costUsd)} in the end, ${limitText}.${would}`;
}
