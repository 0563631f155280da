import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { offsetsOf, windowOf } from "./row-window.ts";

interface LongListProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The height of a row that was not shown yet, in pixels. */
  readonly estimate: (row: Row) => number;
  /** A new function draws all rows again. */
  readonly render: (row: Row) => ComponentChildren;
  readonly class: string;
  readonly label: string;
  /** The row to bring into view; a new object asks again. */
  readonly target: { readonly index: number } | null;
}

/** Shorter lists are shown whole, so that the browser can search them. */
const MAX_WHOLE = 120;
/** Pixels above and below the screen that are kept ready. */
const OVERSCAN = 500;
/** Frames in which a target is followed while rows around it get their real heights. */
const TARGET_FRAMES = 6;

/** A list of any length: only the rows near the screen are in the page, with measured heights. */
export function LongList<Row>({ rows, keyOf, estimate, render, class: className, label, target }: LongListProps<Row>) {
  const list = useRef<HTMLOListElement>(null);
  const heights = useRef(new Map<string, number>());
  const [measured, setMeasured] = useState(0);
  const [view, setView] = useState({ top: 0, bottom: 2_000 });
  const isWhole = rows.length <= MAX_WHOLE;
  const offsets = useMemo(
    () => offsetsOf(isWhole ? [] : rows.map((row) => heights.current.get(keyOf(row)) ?? estimate(row))),
    [rows, measured, isWhole],
  );
  const part = isWhole
    ? { first: 0, end: rows.length, before: 0, after: 0 }
    : windowOf(offsets, view.top - OVERSCAN, view.bottom + OVERSCAN);

  useEffect(() => {
    if (isWhole) return undefined;
    let frame = 0;
    const look = () => {
      frame = 0;
      const box = list.current?.getBoundingClientRect();
      if (box === undefined) return;
      const top = Math.round(-box.top / 200) * 200;
      setView((before) => (before.top === top ? before : { top, bottom: top + window.innerHeight }));
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    window.addEventListener("scroll", onScroll, { passive: true });
    window.addEventListener("resize", onScroll);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", onScroll);
      window.removeEventListener("resize", onScroll);
    };
  }, [isWhole]);

  // Rows that are new in the page are measured when the browser has laid them out, without forcing it to.
  const observer = useRef<ResizeObserver | undefined>(undefined);
  useEffect(() => () => observer.current?.disconnect(), []);
  useLayoutEffect(() => {
    if (isWhole || list.current === null) return;
    observer.current ??= new ResizeObserver((entries) => {
      const changed = entries.filter((entry) => isNewHeight(entry, heights.current));
      if (changed.length > 0) setMeasured((before) => before + 1);
    });
    for (const element of list.current.children) observer.current.observe(element);
  });

  useEffect(() => {
    if (target === null || target.index < 0) return undefined;
    const row = rows[target.index];
    if (row === undefined) return undefined;
    let frame = 0;
    let left = TARGET_FRAMES;
    const step = () => {
      const element = list.current?.querySelector(`[data-key="${CSS.escape(keyOf(row))}"]`);
      if (element instanceof HTMLElement) showElement(element);
      else if (list.current !== null)
        window.scrollTo(
          0,
          window.scrollY + list.current.getBoundingClientRect().top + (offsets[target.index] ?? 0) - 120,
        );
      left -= 1;
      if (left > 0) frame = requestAnimationFrame(step);
    };
    step();
    return () => cancelAnimationFrame(frame);
  }, [target]);

  // Scrolling makes new rows only: a row that stays keeps its node.
  const known = useRef({ render, nodes: new Map<Row, ComponentChildren>() });
  const nodes = new Map<Row, ComponentChildren>();
  for (const row of rows.slice(part.first, part.end))
    nodes.set(row, (known.current.render === render ? known.current.nodes.get(row) : undefined) ?? render(row));
  known.current = { render, nodes };

  return (
    <ol
      class={className}
      ref={list}
      aria-label={label}
      style={{ paddingTop: `${part.before}px`, paddingBottom: `${part.after}px` }}
    >
      {[...nodes.values()]}
    </ol>
  );
}

/** Stores the height of a row that is in the page; returns whether it is another one. */
function isNewHeight({ target, borderBoxSize }: ResizeObserverEntry, heights: Map<string, number>): boolean {
  if (!(target instanceof HTMLElement) || !target.isConnected) return false;
  const key = target.dataset["key"];
  const height = Math.round((borderBoxSize[0]?.blockSize ?? 0) * 4) / 4;
  if (key === undefined || height === 0 || heights.get(key) === height) return false;
  heights.set(key, height);
  return true;
}

/** Scrolls as little as possible: nothing if the beginning of the element is on the screen. */
function showElement(element: HTMLElement): void {
  const { top } = element.getBoundingClientRect();
  if (top >= 60 && top <= window.innerHeight - 160) return;
  window.scrollTo(0, window.scrollY + top - 120);
}
