import { limitName, type Measure, type Sweep, type SweepPoint, savedAt, savedText } from "./sweep-words.ts";

interface SweepDialProps {
  readonly sweep: Sweep;
  readonly measure: Measure;
  readonly index: number;
  readonly onIndex: (index: number) => void;
}

const names = {
  calls: "Equal calls before the run is ended",
  cost: "Cost before the run is ended",
  turns: "Turns before the run is ended",
} as const satisfies Record<Sweep["by"], string>;

/** Half of the slider's thumb: its middle stands exactly below the points of the chart. */
const HALF_THUMB_PX = 9;

/** The slider below the chart. Its value is read aloud with what it saves and stops. */
export function SweepDial({ sweep: { points, by }, measure, index, onIndex }: SweepDialProps) {
  const point = points[index];
  const margin = 50 / points.length;
  return (
    <div class="dial">
      <input
        type="range"
        aria-label={names[by]}
        min={0}
        max={points.length - 1}
        step={1}
        value={index}
        aria-valuetext={point === undefined ? undefined : valueText(point, by, measure)}
        style={{
          marginLeft: `calc(${margin}% - ${HALF_THUMB_PX}px)`,
          width: `calc(${100 - margin * 2}% + ${HALF_THUMB_PX * 2}px)`,
        }}
        onInput={(event) => onIndex(Number(event.currentTarget.value))}
      />
      <p class="ends" aria-hidden="true">
        <span>stop early</span>
        <span>{names[by].toLowerCase()}</span>
        <span>stop late</span>
      </p>
    </div>
  );
}

function valueText(point: SweepPoint, by: Sweep["by"], measure: Measure): string {
  const saved = savedText(savedAt(point, measure), measure);
  return `${limitName(point.limit, by)}: saves ${saved}, stops ${point.stoppedGood.length} good runs`;
}
