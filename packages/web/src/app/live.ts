import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Connection, openStream } from "../api/stream.ts";
import type { StreamMessage } from "../contract/index.ts";

type Listener = (message: StreamMessage) => void;
const listeners = new Set<Listener>();
const changeListeners = new Set<() => void>();

/** The stream of all runs, shared by the pages. */
export const stream = signal<ReturnType<typeof openStream> | undefined>(undefined);

/** Whether the pages are connected to the server. */
export const connection: ReadonlySignal<Connection> = computed(
  () => stream.value?.connection.value ?? { type: "connecting" },
);

/** Connects the shared stream. Called once, after the login. */
export function connectLive(): void {
  stream.value = openStream({
    onMessage: (message) => {
      for (const listener of listeners) listener(message);
      if (message.type !== "live") reportChange();
    },
  });
  let wasOpen = false;
  effect(() => {
    if (connection.value.type !== "open") return;
    if (wasOpen) reportChange(); // before the first event there is no position to continue from
    wasOpen = true;
  });
}

function reportChange(): void {
  for (const listener of changeListeners) listener();
}

/** Calls the listener for every message of the shared stream while a component is shown. */
export function useLive(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listener]);
}

/**
 * Calls `action` at most every `everyMs` while saved events arrive, and once after the last ones; also after a lost
 * connection is back.
 */
export function useReloadOnEvents(action: () => void, everyMs = 700): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onChange = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        action();
      }, everyMs);
    };
    changeListeners.add(onChange);
    return () => {
      clearTimeout(timer);
      changeListeners.delete(onChange);
    };
  }, [action, everyMs]);
}
