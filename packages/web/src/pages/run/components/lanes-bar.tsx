import { Icon } from "../../../parts/icon.tsx";

interface LanesBarProps {
  readonly isFolded: boolean;
  readonly canFold: boolean;
  readonly foldedText: string | null;
  readonly zoomText: string | null;
  readonly onFold: (isFolded: boolean) => void;
  readonly onReset: () => void;
}

/** Above the lanes: how time is drawn, and what the colours mean. */
export function LanesBar({ isFolded, canFold, foldedText, zoomText, onFold, onReset }: LanesBarProps) {
  return (
    <div class="lanes-bar">
      <div class="seg" role="radiogroup" aria-label="Time axis">
        <label>
          <input class="vh" type="radio" name="axis" checked={!isFolded} onChange={() => onFold(false)} />
          Whole run
        </label>
        <label class={canFold ? "" : "off"} title={canFold ? undefined : "Nothing repeats for long in this run."}>
          <input
            class="vh"
            type="radio"
            name="axis"
            checked={isFolded}
            disabled={!canFold}
            onChange={() => onFold(true)}
          />
          <Icon name="fold" />
          Fold repeats
        </label>
      </div>
      {foldedText !== null && <span class="faint num desk">{foldedText}</span>}
      {zoomText !== null && (
        <button type="button" class="btn quiet small" onClick={onReset}>
          <Icon name="x" />
          {zoomText} <kbd>0</kbd>
        </button>
      )}
      <span class="grow" />
      <div class="legend desk" aria-hidden="true">
        {legend.map(([name, colour]) => (
          <span>
            <i style={{ "--c": `var(${colour})` }} />
            {name}
          </span>
        ))}
        <span>
          <i class="outline" />
          refused
        </span>
        <span>
          <i class="hatched" />
          would have
        </span>
      </div>
    </div>
  );
}

const legend = [
  ["command", "--kind-run"],
  ["edit", "--kind-mutate"],
  ["read", "--kind-read"],
  ["wait", "--kind-poll"],
  ["failed", "--fail"],
] as const;
