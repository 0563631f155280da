import type { ServerResponse } from "node:http";
import type { AgentEvent, EventBatch } from "@sheepdog/agent";
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

/**
 * One reader follows the store for all clients and serialises each batch once. A client that reconnects, or for which
 * too many bytes wait to be sent, gets the rest from the store as it takes them. While no client is connected, nothing
 * is read.
 */
export function createStreamHub(options: StreamOptions): StreamHub {
  const { source, isWithin, toWireEvent, maxClients = 2_000, heartbeatMs = 15_000 } = options;
  const clients = new Set<StreamClient>();
  const waker = createWaker(pollMs);
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
      await report(async () => {
        await sendNew();
        for (const client of clients) if (!client.isFollowing && !client.isFull()) await catchUp(client);
      });
      if (clients.size > 0) await waker.wait();
    }
    clearInterval(heartbeat);
    endWatch();
    endLive();
    isReading = false;
  };

  const sendNew = async () => {
    const newest = await source.lastPosition();
    if (position === Number.POSITIVE_INFINITY) position = newest;
    if (newest < position) {
      position = newest; // the data was removed or replaced
      for (const client of clients) if (client.position > newest) client.reset(newest);
    }
    while (position < newest) {
      const batches = await source.batchesAfter(position, batchesAtOnce);
      for (const batch of batches) {
        await sendToFollowers(batch);
        position = batch.position;
      }
      if (batches.length === 0) position = newest;
    }
  };

  const sendToFollowers = async (batch: EventBatch) => {
    let text: Uint8Array | undefined;
    for (const client of clients) {
      if (!client.isFollowing || client.position >= batch.position) continue;
      if (await concerns(batch, client)) {
        text ??= frameOf(batch);
        client.isFollowing = client.send(text, "saved");
      }
      if (client.isFollowing) client.position = batch.position;
    }
  };

  /** Sends what a client has missed, as much as it takes now. */
  const catchUp = async (client: StreamClient) => {
    while (client.position < position) {
      const batches = (await source.batchesAfter(client.position, batchesAtOnce)).filter(
        (batch) => batch.position <= position,
      );
      for (const batch of batches) {
        if ((await concerns(batch, client)) && !client.send(frameOf(batch), "saved")) return;
        client.position = batch.position;
      }
      if (batches.length === 0) client.position = position;
    }
    client.isFollowing = true;
  };

  const concerns = async ({ sessionId }: EventBatch, { request }: StreamClient) =>
    request.sessionId === undefined || (await isWithin(sessionId, request.sessionId));

  const frameOf = ({ position: batchPosition, events }: EventBatch) =>
    frame({ type: "events", position: batchPosition, events: events.map(toWireEvent) });

  return {
    async connect(outgoing, request) {
      if (isClosed || clients.size >= maxClients) return false;
      const newest = await source.lastPosition();
      if (isClosed || clients.size >= maxClients) return false;
      if (outgoing.destroyed) return true;
      const { after = newest } = request;
      const client = openStreamClient(outgoing, request, {
        onReady: waker.wake,
        onClose() {
          clients.delete(client);
          waker.wake();
        },
      });
      client.position = after;
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
