import { useEffect } from "preact/hooks";

/** Calls `action` at this interval while the page is visible: recordings of other agents send no events. */
export function useReloadEvery(action: () => void, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") action();
    }, everyMs);
    return () => clearInterval(timer);
  }, [action, everyMs]);
}
