import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { AgentEvent } from "@sheepdog/agent";
import type { WireEvent } from "@sheepdog/web/contract";
import type { BatchSource, FollowLive } from "./event-source.ts";
import { frame } from "./frames.ts";
import { sendLiveMessages } from "./live-messages.ts";
import type { IsWithin } from "./session-tree.ts";
import { openStreamClient, type StreamClient, type StreamRequest } from "./stream-client.ts";
import { createWaker } from "./waker.ts";

/** What the stream is built from. */
export interface StreamOptions {
  readonly source: BatchSource;
  readonly followLive: FollowLive;
  readonly isWithin: IsWithin;
  readonly toWireEvent: (event: AgentEvent) => WireEvent;
  /** Calls back when the store may have changed. Returns a function that ends it. */
  readonly watchStore: (onChange: () => void) => () => void;
  readonly onProblem: (sentence: string) => void;
  readonly maxClients?: number;
  readonly heartbeatMs?: number;
}

/** Sends the events of all processes to the connected browsers. */
export interface StreamHub {
  /** Resolves with false if there are too many browsers. Then nothing was sent. */
  connect(outgoing: ServerResponse, request: StreamRequest): Promise<boolean>;
  /** The number of connected browsers. */
  size(): number;
  /** Ends all connections. */
  close(): void;
}

const pollMs = 150;
const batchesAtOnce = 50;

/** Each client gets what is saved at its own speed. While no client is connected, nothing is watched. */
export function createStreamHub(options: StreamOptions): StreamHub {
  const { source, isWithin, toWireEvent, maxClients = 200, heartbeatMs = 15_000 } = options;
  const clients = new Set<StreamClient>();
  const waker = createWaker();
  const report = oncePerFailure(options.onProblem);
  let endWatching = () => {};
  let isClosed = false;

  const watch = () => {
    const endLive = sendLiveMessages({ ...options, clients });
    const endWatch = options.watchStore(waker.wake);
    const poll = setInterval(waker.wake, pollMs);
    const heartbeat = setInterval(() => {
      for (const client of clients) client.beat();
    }, heartbeatMs);
    endWatching = () => {
      clearInterval(heartbeat);
      clearInterval(poll);
      endWatch();
      endLive();
    };
  };

  /** Sends a client what it has missed, and then what is new, until it is gone. */
  const follow = async (client: StreamClient) => {
    while (client.isOpen) {
      const changed = waker.next(); // from here on: what is saved while this is read must not be missed
      await report(() => sendSaved(client));
      if (client.isOpen) await changed;
    }
  };

  const sendSaved = async (client: StreamClient) => {
    while (client.isOpen) {
      const batches = await source.batchesAfter(client.position, batchesAtOnce);
      for (const { position, sessionId, events } of batches) {
        if (await concerns(client, sessionId))
          await client.send(frame({ type: "events", position, events: events.map(toWireEvent) }));
        if (!client.isOpen) return;
        client.position = position;
      }
      if (batches.length < batchesAtOnce) break;
      client.isFollowing = false;
      await setImmediate(); // others come between
    }
    const newest = await source.lastPosition();
    if (newest < client.position && client.isOpen) client.reset(newest); // the data was removed or replaced
    client.isFollowing = true;
  };

  const concerns = async ({ request }: StreamClient, sessionId: string) =>
    request.sessionId === undefined || (await isWithin(sessionId, request.sessionId, "saved"));

  return {
    async connect(outgoing, request) {
      const isFull = () => isClosed || clients.size >= maxClients;
      if (isFull()) return false;
      const newest = await source.lastPosition();
      if (isFull()) return false;
      if (outgoing.destroyed) return true;
      const { after = newest } = request;
      const client = openStreamClient(outgoing, request, {
        position: Math.min(after, newest),
        onClose() {
          if (clients.delete(client) && clients.size === 0) endWatching();
          waker.wake();
        },
      });
      if (after > newest) client.reset(newest);
      clients.add(client);
      if (clients.size === 1) watch();
      void follow(client);
      return true;
    },
    size: () => clients.size,
    close() {
      isClosed = true;
      for (const client of clients) client.end();
      if (clients.size > 0) endWatching();
      clients.clear();
      waker.wake();
    },
  };
}

/** Runs something again and again, and reports a failure when it begins. */
function oncePerFailure(onProblem: (sentence: string) => void): (run: () => Promise<void>) => Promise<void> {
  let isFailing = false;
  return async (run) => {
    try {
      await run();
      isFailing = false;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!isFailing) onProblem(`the live stream cannot read the saved events (${reason})`);
      isFailing = true;
    }
  };
}
