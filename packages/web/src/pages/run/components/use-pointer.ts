import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { Axis, Span } from "../model/axis.ts";

interface PointerOptions {
  readonly over: RefObject<HTMLDivElement | null>;
  readonly axis: Axis;
  /** Set while the pointer is over the lanes. */
  readonly isInside: { current: boolean };
  readonly labelAt: (at: number) => string;
  readonly onZoom: (span: Span) => void;
  readonly onPick: (at: number) => void;
}

/** Percent of the width. A shorter drag is a click. */
const MIN_DRAG = 0.8;

/**
 * Moves the crosshair, zooms by dragging, and picks by clicking. The crosshair is moved without rendering; fingers
 * scroll the page as usual.
 */
export function usePointer({ over, axis, isInside, labelAt, onZoom, onPick }: PointerOptions) {
  const cursor = useRef<HTMLElement>(null);
  const drag = useRef<HTMLElement>(null);
  const from = useRef<number | null>(null);

  const placeOf = (event: PointerEvent): number | null => {
    const box = over.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return null;
    const x = ((event.clientX - box.left) / box.width) * 100;
    return x < 0 || x > 100 ? null : x;
  };
  const showDrag = (to: number | null) => {
    const start = from.current;
    const box = drag.current;
    if (box === null) return;
    const isDragged = start !== null && to !== null && Math.abs(to - start) >= MIN_DRAG;
    box.style.display = isDragged ? "block" : "none";
    if (!isDragged) return;
    box.style.left = `${Math.min(start, to)}%`;
    box.style.width = `${Math.abs(to - start)}%`;
  };
  const showCursor = (x: number | null) => {
    const line = cursor.current;
    if (line === null) return;
    line.style.display = x === null ? "none" : "block";
    if (x === null) return;
    line.style.setProperty("--x", String(x));
    line.classList.toggle("left", x > 85);
    const label = line.firstElementChild;
    if (label !== null) label.textContent = labelAt(axis.time(x));
  };

  const onPointer = {
    onPointerMove: (event: PointerEvent) => {
      isInside.current = true;
      const x = placeOf(event);
      showCursor(x);
      if (from.current !== null) showDrag(x);
    },
    onPointerLeave: () => {
      isInside.current = false;
      from.current = null;
      showCursor(null);
      showDrag(null);
    },
    onPointerDown: (event: PointerEvent) => {
      const isControl = event.target instanceof Element && event.target.closest("a, button") !== null;
      if (event.button === 0 && event.pointerType !== "touch" && !isControl) from.current = placeOf(event);
    },
    onPointerUp: (event: PointerEvent) => {
      const [start, end] = [from.current, placeOf(event)];
      from.current = null;
      showDrag(null);
      if (start === null || end === null) return;
      if (Math.abs(end - start) < MIN_DRAG) onPick(axis.time(end));
      else onZoom({ from: axis.time(Math.min(start, end)), to: axis.time(Math.max(start, end)) });
    },
  };
  return { onPointer, cursor, drag };
}
