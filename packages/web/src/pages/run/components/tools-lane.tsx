import { useMemo } from "preact/hooks";
import { counted } from "../../../format/amounts.ts";
import { callPaths } from "../model/lanes.ts";
import { waitsIn } from "../model/waits.ts";
import { Drawing, Lane } from "./lane.tsx";
import type { LaneContext } from "./lane-context.ts";

const HEIGHT = 58;
const BASE = 40;
/** The width of the words "waited for you". */
const WAIT_WORDS_PX = 96;

/** Every call as a bar: height by duration, colour by kind, failures below the line. */
export function ToolsLane({ context }: { readonly context: LaneContext }) {
  const { model, version, axis, width, now } = context;
  const { kinds, failed, refused } = useMemo(
    () => callPaths(model.calls, axis, { base: BASE, maxHeight: 34, columns: width, now }),
    [version, axis, width, now],
  );
  const waits = useMemo(() => waitsIn(model.events), [version]);
  const spans = waits
    .map(({ from, to }) => ({ fromX: Math.max(0, axis.x(from)), toX: Math.min(100, axis.x(to ?? now)) }))
    .filter(({ fromX, toX }) => toX > fromX);
  return (
    <Lane
      title="Turns and tools"
      detail="height: duration"
      height={HEIGHT}
      value={model.turns.toLocaleString("en-US")}
      valueDetail={
        model.failures > 0 ? `${model.failures.toLocaleString("en-US")} failed` : counted(model.calls.length, "call")
      }
    >
      <Drawing
        height={HEIGHT}
        label={`${counted(model.turns, "turn")}, ${counted(model.calls.length, "call")}, ${model.failures} failed`}
      >
        {spans.map(({ fromX, toX }) => (
          <rect x={fromX * 10} width={(toX - fromX) * 10} y={4} height={BASE - 4} fill="var(--line)" opacity=".55" />
        ))}
        <path d={`M0 ${BASE + 0.5}H1000`} stroke="var(--line)" />
        <path d={kinds.poll} fill="var(--kind-poll)" />
        <path d={kinds.read} fill="var(--kind-read)" />
        <path d={kinds.run} fill="var(--kind-run)" />
        <path d={kinds.edit} fill="var(--kind-mutate)" />
        <path d={refused} fill="none" stroke="var(--block)" />
        <path d={failed} fill="var(--fail)" />
      </Drawing>
      {spans.map(
        ({ fromX, toX }) =>
          ((toX - fromX) / 100) * width > WAIT_WORDS_PX && (
            <span class="note mid" style={{ "--x": (fromX + toX) / 2, "--y": "14px" }}>
              waited for you
            </span>
          ),
      )}
    </Lane>
  );
}
