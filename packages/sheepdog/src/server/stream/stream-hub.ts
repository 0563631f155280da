import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { AgentEvent, EventBatch } from "@sheepdog/agent";
import type { WireEvent } from "@sheepdog/web/contract";
import type { BatchSource, FollowLive } from "./event-source.ts";
import { type BatchFrame, createFrameCache } from "./frame-cache.ts";
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
/** How long clients that are behind may keep the others waiting. */
const maxCatchUpMs = 20;
const maxCachedBytes = 16_000_000;

/**
 * One reader follows the store for all clients and serialises each batch once. A client that reconnects, or for which
 * too many bytes wait to be sent, gets the rest as it takes it; clients that reconnect at once share what is read for
 * them. While no client is connected, nothing is read.
 */
export function createStreamHub(options: StreamOptions): StreamHub {
  const { source, isWithin, toWireEvent, maxClients = 2_000, heartbeatMs = 15_000 } = options;
  const clients = new Set<StreamClient>();
  const waker = createWaker(pollMs);
  const frameOf = ({ position: batchPosition, events }: EventBatch) =>
    frame({ type: "events", position: batchPosition, events: events.map(toWireEvent) });
  const cache = createFrameCache(frameOf, maxCachedBytes);
  /** Every batch up to here was sent to the clients that follow. */
  let position = 0;
  let isReading = false;
  let isClosed = false;

  /** Reads as long as there are clients. */
  const read = async () => {
    isReading = true;
    const endLive = sendLiveMessages({ ...options, clients });
    const endWatch = options.watchStore(waker.wake);
    const heartbeat = setInterval(() => {
      for (const client of clients) client.beat();
    }, heartbeatMs);
    const report = oncePerFailure(options.onProblem);
    position = Number.POSITIVE_INFINITY; // the first reading begins at the newest batch
    while (clients.size > 0) {
      let hasMore = false;
      await report(async () => {
        const hasNew = await sendNew();
        hasMore = (await catchUpSome()) || hasNew;
      });
      if (hasMore) await setImmediate();
      else if (clients.size > 0) await waker.wait();
    }
    cache.clear();
    clearInterval(heartbeat);
    endWatch();
    endLive();
    isReading = false;
  };

  /** Sends new batches to the clients that follow. Resolves with whether there are more. */
  const sendNew = async (): Promise<boolean> => {
    const newest = await source.lastPosition();
    if (position === Number.POSITIVE_INFINITY) position = newest;
    if (newest < position) {
      position = newest; // the data was removed or replaced
      cache.clear();
      for (const client of clients) if (client.position > newest) client.reset(newest);
    }
    for (let count = 0; count < batchesAtOnce && position < newest; count += 1) {
      const batch = await batchAfter(position);
      if (batch !== undefined) await sendToFollowers(batch);
      position = batch?.position ?? newest;
    }
    return position < newest;
  };

  const sendToFollowers = async (batch: BatchFrame) => {
    for (const client of clients) {
      if (!client.isFollowing || client.position >= batch.position) continue;
      if (await concerns(batch, client)) client.isFollowing = client.send(batch.text, "saved");
      if (client.isFollowing) client.position = batch.position;
    }
  };

  /** Sends to clients that are behind, for a limited time. Resolves with whether some of them can take more. */
  const catchUpSome = async (): Promise<boolean> => {
    const endsAt = performance.now() + maxCatchUpMs;
    let hasMore = false;
    for (const client of [...clients].filter(({ isFollowing, isFull }) => !isFollowing && !isFull())) {
      if (performance.now() > endsAt) return true;
      hasMore = (await catchUp(client)) || hasMore;
      if (clients.delete(client)) clients.add(client); // the next time, the others come first
    }
    return hasMore;
  };

  /** Sends the next batches that a client has missed, as far as it takes them. Resolves with whether it takes more. */
  const catchUp = async (client: StreamClient): Promise<boolean> => {
    for (let count = 0; client.position < position; count += 1) {
      if (count === batchesAtOnce) return true;
      const batch = await batchAfter(client.position);
      if (batch === undefined || batch.position > position) client.position = position;
      else if (!(await concerns(batch, client)) || client.send(batch.text, "saved")) client.position = batch.position;
      else return false;
    }
    client.isFollowing = true;
    return false;
  };

  /** The batch that follows a position, as it is sent. */
  const batchAfter = async (after: number): Promise<BatchFrame | undefined> => {
    const cached = cache.after(after);
    if (cached !== undefined) return cached;
    cache.add(after, await source.batchesAfter(after, batchesAtOnce));
    return cache.after(after);
  };

  const concerns = async ({ sessionId }: BatchFrame, { request }: StreamClient) =>
    request.sessionId === undefined || (await isWithin(sessionId, request.sessionId, "saved"));

  return {
    async connect(outgoing, request) {
      if (isClosed || clients.size >= maxClients) return false;
      const newest = await source.lastPosition();
      if (isClosed || clients.size >= maxClients) return false;
      if (outgoing.destroyed) return true;
      const { after = newest } = request;
      const client = openStreamClient(outgoing, request, {
        position: Math.min(after, newest),
        onReady: waker.wake,
        onClose() {
          clients.delete(client);
          waker.wake();
        },
      });
      if (after > newest) client.reset(newest);
      clients.add(client);
      if (isReading) waker.wake();
      else void read();
      return true;
    },
    size: () => clients.size,
    close() {
      isClosed = true;
      for (const client of clients) client.end();
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
