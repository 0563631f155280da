import type { ServerResponse } from "node:http";
import { frame } from "./frames.ts";

/** What a browser asks the stream for. */
export interface StreamRequest {
  /** Only the events of this session and its subagents. */
  readonly sessionId: string | undefined;
  /** The last position that the browser knows; undefined: it wants what comes from now on. */
  readonly after: number | undefined;
  readonly isLive: boolean;
}

/** A connected browser. */
export interface StreamClient {
  readonly request: StreamRequest;
  /** Every batch up to here was sent, or is of no interest to the client. */
  position: number;
  /** False while the client is behind: it then gets its batches from the store, not from the others' reading. */
  isFollowing: boolean;
  /** Whether it has to take what was sent before it is sent more. `onReady` is called when it has. */
  isFull(): boolean;
  /** Tells the client to load everything again, and to follow from a position. */
  reset(position: number): void;
  /** Sends text unless too much waits to be sent already. Returns false if it was not sent. */
  send(text: Uint8Array, kind: "saved" | "live"): boolean;
  /** Sends a comment that keeps the connection open. Ends a connection that has taken nothing for too long. */
  beat(): void;
  end(): void;
}

/** What may wait for a client that reads slowly. */
const maxWaitingBytes = 128_000;
/** Heartbeats after which a client that takes nothing is disconnected; it can reconnect and misses nothing. */
const maxStuckBeats = 8;

const head = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Accel-Buffering": "no",
};

interface ClientOptions {
  /** From here on it gets what is saved. */
  readonly position: number;
  readonly onReady: () => void;
  readonly onClose: () => void;
}

/** Begins the answer to a browser. `onReady` is called when it can take more, `onClose` when it is gone. */
export function openStreamClient(
  outgoing: ServerResponse,
  request: StreamRequest,
  { position: start, onReady, onClose }: ClientOptions,
): StreamClient {
  let stuckBeats = 0;
  outgoing.on("error", () => {}); // followed by "close"
  outgoing.on("drain", () => {
    stuckBeats = 0;
    onReady();
  });
  outgoing.on("close", onClose);
  outgoing.writeHead(200, head);
  // An id without data: a browser that is disconnected before the first message continues from here.
  outgoing.write(`retry: 1000\nid: ${start}\n\n`);
  const client: StreamClient = {
    request,
    position: start,
    isFollowing: false,
    isFull: () => outgoing.writableNeedDrain,
    reset(position) {
      outgoing.write(frame({ type: "reset", position }));
      client.position = position;
    },
    send(text, kind) {
      const waiting = outgoing.writableLength;
      const isFull = kind === "live" ? waiting > 0 : waiting > 0 && waiting + text.length > maxWaitingBytes;
      if (isFull || outgoing.destroyed) return false;
      outgoing.write(text);
      return true;
    },
    beat() {
      if (outgoing.writableLength === 0) {
        stuckBeats = 0;
        // An id without data moves the position from which the browser reconnects.
        outgoing.write(client.isFollowing ? `: still here\nid: ${client.position}\n\n` : ": still here\n\n");
        return;
      }
      stuckBeats += 1;
      if (stuckBeats > maxStuckBeats) outgoing.destroy();
    },
    end: () => void outgoing.end(),
  };
  return client;
}
