import type { ComponentChildren } from "preact";

interface LaneProps {
  readonly title: string;
  readonly detail: string;
  readonly height: number;
  /** The last value, at the right. */
  readonly value: ComponentChildren;
  readonly valueDetail?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A row of the time axis: its name at the left, its last value at the right. */
export function Lane({ title, detail, height, value, valueDetail, children }: LaneProps) {
  return (
    <div class="lane">
      <header>
        <h3>{title}</h3>
        <p>{detail}</p>
      </header>
      <div class="views">
        <div class="plot" style={{ "--h": `${height}px` }}>
          {children}
        </div>
      </div>
      <footer>
        {value}
        {valueDetail !== undefined && <small>{valueDetail}</small>}
      </footer>
    </div>
  );
}

interface DrawingProps {
  readonly height: number;
  /** A sentence that says what the drawing shows. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A drawing that is stretched to the width of its lane. */
export function Drawing({ height, label, children }: DrawingProps) {
  return (
    <svg class="fit" viewBox={`0 0 1000 ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {children}
    </svg>
  );
}
