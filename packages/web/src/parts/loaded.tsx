import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";
import type { LoadedDocument } from "./use-document.ts";

interface LoadedProps<Value> {
  readonly document: LoadedDocument<Value>;
  /** The frame that stands in for the document while it loads. */
  readonly frame: ComponentChildren;
  readonly children: (value: Value) => ComponentChildren;
}

/** A document of the API, the frame that stands in for it, or why it could not be loaded. */
export function Loaded<Value>({ document: { value, problem, reload }, frame, children }: LoadedProps<Value>) {
  if (value === undefined && problem === undefined) return <div class="frame">{frame}</div>;
  return (
    <>
      {problem !== undefined && (
        <div class="panel problem-note" role="alert">
          <Icon name="warn" />
          <p class="grow">
            {problem} {value !== undefined && "What you see is not the newest."}
          </p>
          <button type="button" class="btn small" onClick={reload}>
            Try again
          </button>
        </div>
      )}
      {value !== undefined && children(value)}
    </>
  );
}

/** A panel of grey lines. They appear after a moment, so that a fast answer does not flicker. */
export function FramePanel({ lines = 4, height }: { readonly lines?: number; readonly height?: string }) {
  return (
    <div class="panel frame-panel" style={height === undefined ? {} : { height }} aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <i style={{ width: `calc(min(100%, 560px) * 0.${[46, 82, 64, 74][index % 4]})` }} />
      ))}
    </div>
  );
}
