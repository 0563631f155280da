import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { load } from "../api/client.ts";
import type { Overview } from "../contract/index.ts";
import { connection, useReloadOnEvents } from "./live.ts";

const current = signal<Overview | undefined>(undefined);
const EVERY_MS = 60_000;

/** What waits for the user, what was spent today, and where runs can start. Shared by the pages. */
export const overview: ReadonlySignal<Overview | undefined> = current;

let loading: Promise<void> | undefined;
let isWantedAgain = false;

/** Loads the overview again. Calls while it is loading are joined into one. */
export function reloadOverview(): void {
  if (loading !== undefined) {
    isWantedAgain = true;
    return;
  }
  loading = load("overview")
    .then((value) => {
      current.value = value;
    })
    .catch(() => undefined) // the strip about the connection, or the page about the token, tells the user
    .finally(() => {
      loading = undefined;
      if (!isWantedAgain) return;
      isWantedAgain = false;
      reloadOverview();
    });
}

/** Keeps the overview up to date while the frame is shown: after events, and each minute for what has no event. */
export function useOverviewUpdates(): void {
  useEffect(() => {
    reloadOverview();
    const timer = setInterval(reloadOverview, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  useReloadOnEvents(reloadOverview, 400);
  const failedUntil = connection.value.type === "lost" ? connection.value.retryAt : undefined;
  useEffect(() => {
    if (failedUntil !== undefined) reloadOverview(); // the stream does not say why it failed: it may be the token
  }, [failedUntil]);
}
