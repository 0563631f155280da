import { useMemo } from "preact/hooks";
import { counted, percent, shortNumber } from "../../../format/amounts.ts";
import { curve } from "../model/lanes.ts";
import { Drawing, Lane } from "./lane.tsx";
import type { LaneContext } from "./lane-context.ts";

const HEIGHT = 64;
/** The height of a full context, so that the words have a place above it. */
const FULL = 46;

/** How full the context is, with the limits of the guardian; a compaction is a fall. */
export function ContextLane({ context }: { readonly context: LaneContext }) {
  const { detail, model, version, axis, width, now } = context;
  const maxTokens = detail.maxContextTokens;
  const last = model.context.at(-1)?.value ?? 0;
  const highest = useMemo(() => model.context.reduce((high, { value }) => Math.max(high, value), 1), [version]);
  const full = maxTokens ?? highest * 1.1;
  const { line, area } = useMemo(() => {
    const points = model.context.length === 0 ? [] : [...model.context, { at: now, value: last }];
    return curve(points, axis, { height: HEIGHT, max: (full * HEIGHT) / FULL, columns: width });
  }, [version, axis, width, full, now]);
  const y = (share: number) => HEIGHT - share * FULL;
  if (model.context.length === 0) return null;
  const compactionWords = counted(model.compactions, "compaction");
  return (
    <Lane
      title="Context"
      detail={maxTokens === null ? "in tokens" : `of ${maxTokens.toLocaleString("en-US")} tokens`}
      height={HEIGHT}
      value={maxTokens === null ? shortNumber(last) : percent(last / maxTokens)}
      {...(model.compactions === 0 ? {} : { valueDetail: compactionWords })}
    >
      <Drawing
        height={HEIGHT}
        label={`Context: ${shortNumber(last)} tokens now, ${shortNumber(highest)} at most, ${compactionWords}`}
      >
        <path d={area} fill="var(--ink)" opacity=".06" />
        <path d={line} fill="none" stroke="var(--ink-2)" stroke-width="1.2" />
        {maxTokens !== null && (
          <>
            <path d={`M0 ${y(0.8)}H1000`} stroke="var(--ink-3)" stroke-dasharray="3 4" opacity=".7" />
            <path d={`M0 ${y(0.95)}H1000`} stroke="var(--ink)" opacity=".6" />
          </>
        )}
      </Drawing>
      {maxTokens !== null && (
        <span class="note tiny" style={{ "--x": "12.5", "--y": "6px" }}>
          Warning at 80 %, stop at 95 %
        </span>
      )}
    </Lane>
  );
}
