import type { DayBar } from "./day-bars.ts";

interface DayPickerProps {
  readonly bars: readonly DayBar[];
  readonly chosen: number | undefined;
  readonly onChoose: (index: number | undefined) => void;
  readonly nameOf: (bar: DayBar) => string;
}

/** Chooses a bar of the chart: by pointing at it, or with the arrow keys. Its numbers are read aloud as its value. */
export function DayPicker({ bars, chosen, onChoose, nameOf }: DayPickerProps) {
  const last = bars.length - 1;
  const bar = bars[chosen ?? last];
  if (bar === undefined) return null;
  const choose = (event: PointerEvent) => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onChoose(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * bars.length))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = nextIndex(event.key, chosen ?? last, last);
    if (event.key === "Escape") onChoose(undefined);
    if (index === undefined) return;
    event.preventDefault();
    onChoose(index);
  };
  return (
    <div
      class="picker"
      role="slider"
      tabIndex={0}
      aria-label={bar.first === bar.last ? "Day" : "Week"}
      aria-valuemin={1}
      aria-valuemax={bars.length}
      aria-valuenow={(chosen ?? last) + 1}
      aria-valuetext={nameOf(bar)}
      onPointerMove={choose}
      onPointerDown={choose}
      onPointerLeave={() => onChoose(undefined)}
      onFocus={(event) => {
        if (event.currentTarget.matches(":focus-visible")) onChoose(chosen ?? last);
      }}
      onBlur={() => onChoose(undefined)}
      onKeyDown={onKeyDown}
    />
  );
}

function nextIndex(key: string, index: number, last: number): number | undefined {
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return Math.max(0, index - 1);
    case "ArrowRight":
    case "ArrowUp":
      return Math.min(last, index + 1);
    case "PageDown":
      return Math.max(0, index - 7);
    case "PageUp":
      return Math.min(last, index + 7);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
