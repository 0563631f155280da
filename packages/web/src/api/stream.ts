import { type ReadonlySignal, signal } from "@preact/signals";
import type { StreamMessage } from "../contract/index.ts";
import { routePaths } from "./route-paths.ts";

/** Whether the page is connected to the live stream; `since` is when the connection was lost. */
export type Connection =
  | { readonly type: "connecting" }
  | { readonly type: "open" }
  | { readonly type: "lost"; readonly since: number; readonly retryAt: number };

export interface StreamOptions {
  /** Only the events of this session and its subagents. */
  readonly session?: string;
  /** The position after which events are wanted. */
  readonly after?: number;
  readonly onMessage: (message: StreamMessage) => void;
}

export interface LiveStream {
  readonly connection: ReadonlySignal<Connection>;
  /** Connects again at once, without waiting for the next attempt. */
  retry(): void;
  close(): void;
}

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;
/** A page that is hidden for this long disconnects: browsers open only six connections to one server for all tabs. */
const HIDDEN_MS = 30_000;

/**
 * Follows the live stream until it is closed. After a lost connection it continues behind the last position, so that
 * each saved event arrives once; so it does after the page was hidden. The browser's own retries end after some
 * failures; these do not.
 */
export function openStream({ session, after, onMessage }: StreamOptions): LiveStream {
  const connection = signal<Connection>({ type: "connecting" });
  let position = after;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = FIRST_WAIT_MS;
  let lostSince: number | undefined;
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  let isAsleep = false;

  const connect = () => {
    clearTimeout(timer);
    isAsleep = false;
    source?.close();
    const query = new URLSearchParams();
    if (session !== undefined) query.set("session", session);
    if (position !== undefined) query.set("after", String(position));
    source = new EventSource(`${routePaths.stream}${query.size === 0 ? "" : `?${query}`}`);
    source.onopen = () => {
      waitMs = FIRST_WAIT_MS;
      lostSince = undefined;
      connection.value = { type: "open" };
    };
    source.onerror = () => {
      source?.close();
      lostSince ??= Date.now();
      connection.value = { type: "lost", since: lostSince, retryAt: Date.now() + waitMs };
      timer = setTimeout(connect, waitMs);
      waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
    };
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as StreamMessage; // the server writes it by the contract
      if (message.type === "events" && position !== undefined && message.position <= position) return; // sent again
      if (message.type !== "live") position = message.position;
      onMessage(message);
    };
  };
  const disconnect = () => {
    clearTimeout(timer);
    clearTimeout(hiddenTimer);
    source?.close();
  };
  const onVisibility = () => {
    clearTimeout(hiddenTimer);
    if (!document.hidden && isAsleep) connect();
    if (document.hidden) hiddenTimer = setTimeout(sleep, HIDDEN_MS);
  };
  const sleep = () => {
    disconnect();
    isAsleep = true;
    connection.value = { type: "connecting" };
  };
  document.addEventListener("visibilitychange", onVisibility);
  connect();

  return {
    connection,
    retry: connect,
    close() {
      document.removeEventListener("visibilitychange", onVisibility);
      disconnect();
    },
  };
}
