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
  /** False while the client has not got all that is saved: it gets nothing live before that. */
  isFollowing: boolean;
  readonly isOpen: boolean;
  /** Tells the client to load everything again, and to follow from a position. */
  reset(position: number): void;
  /** Sends something saved. Resolves when the client can take more, or is gone. */
  send(text: Uint8Array): Promise<void>;
  /** Sends something that comes again when it is saved, if the client can take it at once. */
  sendLive(text: Uint8Array): void;
  /** Sends a comment that keeps the connection open. Ends a connection that has taken nothing for too long. */
  beat(): void;
  end(): void;
}

/** Heartbeats after which a client that takes nothing is disconnected; it can reconnect and misses nothing. */
const maxStuckBeats = 8;

const head = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Accel-Buffering": "no",
};

/** Begins the answer to a browser, which gets what is saved after a position. `onClose` is called when it is gone. */
export function openStreamClient(
  outgoing: ServerResponse,
  request: StreamRequest,
  { position: start, onClose }: { readonly position: number; readonly onClose: () => void },
): StreamClient {
  let stuckBeats = 0;
  let isOpen = true;
  let onReady = () => {};
  const close = () => {
    isOpen = false;
    onReady();
  };
  outgoing.on("error", () => {}); // followed by "close"
  outgoing.on("drain", () => {
    stuckBeats = 0;
    onReady();
  });
  outgoing.on("close", () => {
    close();
    onClose();
  });
  outgoing.writeHead(200, head);
  // An id without data: a browser that is disconnected before the first message continues from here.
  outgoing.write(`retry: 1000\nid: ${start}\n\n`);
  const client: StreamClient = {
    request,
    position: start,
    isFollowing: false,
    get isOpen() {
      return isOpen;
    },
    reset(position) {
      outgoing.write(frame({ type: "reset", position }));
      client.position = position;
    },
    async send(text) {
      if (isOpen && !outgoing.write(text) && isOpen) await new Promise<void>((resolve) => (onReady = resolve));
    },
    sendLive(text) {
      if (isOpen && outgoing.writableLength === 0) outgoing.write(text);
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
    end() {
      close();
      outgoing.end();
    },
  };
  return client;
}
