import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { openStream } from "../api/stream.ts";
import type { StreamMessage } from "../contract/index.ts";

type Listener = (message: StreamMessage) => void;
const listeners = new Set<Listener>();

/** The stream of all runs, shared by the pages. */
export const stream = signal<ReturnType<typeof openStream> | undefined>(undefined);

/** Connects the shared stream. Called once, after the login. */
export function connectLive(): void {
  stream.value = openStream({
    onMessage: (message) => {
      for (const listener of listeners) listener(message);
    },
  });
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

/** Calls `action` at most every `everyMs` while saved events arrive, and once after the last ones. */
export function useReloadOnEvents(action: () => void, everyMs = 700): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listener: Listener = ({ type }) => {
      if (type === "live" || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        action();
      }, everyMs);
    };
    listeners.add(listener);
    return () => {
      clearTimeout(timer);
      listeners.delete(listener);
    };
  }, [action, everyMs]);
}
