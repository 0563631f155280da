import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { type AgentEvent, type EventBus, isDelta } from "@sheepdog/agent";
import { liveSocketPath } from "./live-socket.ts";

/** From this many unsent bytes on, a client gets no deltas. */
const maxBytesForDeltas = 256_000;
/** With this many unsent bytes, a client is disconnected: it can read the events from the store. */
const maxBytes = 4_000_000;
const maxClients = 16;
/** How long a client may take to read the last events after the end of the run. */
const lastBytesMs = 500;

/**
 * Offers the events of a runtime to other processes as they are published, one JSON line each, on a socket in the
 * message folder of a run. Without a client nothing is computed, and a slow client never delays the run. Where sockets
 * do not work, nothing is offered. Returns the function that ends it.
 */
export function offerLiveEvents(messagesFolder: string, bus: Pick<EventBus, "subscribe">): () => void {
  const path = liveSocketPath(messagesFolder);
  if (path === undefined) return () => {};
  const clients = new Map<Socket, { dropped: number }>();
  let unsubscribe: (() => void) | undefined;

  const send = (event: AgentEvent) => {
    const line = lineOf(event);
    for (const [socket, client] of clients) {
      if (socket.writableLength > maxBytes) socket.destroy();
      else if (isDelta(event) && socket.writableLength > maxBytesForDeltas) client.dropped += 1;
      else {
        socket.write(client.dropped === 0 ? line : lineOf({ ...event, dropped: client.dropped }));
        client.dropped = 0;
      }
    }
  };
  const onClient = (socket: Socket) => {
    if (clients.size >= maxClients) {
      socket.destroy();
      return;
    }
    socket.unref();
    clients.set(socket, { dropped: 0 });
    unsubscribe ??= bus.subscribe(send);
    socket.on("error", () => {}); // "close" follows
    socket.on("close", () => {
      clients.delete(socket);
      if (clients.size > 0) return;
      unsubscribe?.();
      unsubscribe = undefined;
    });
    socket.resume(); // what a client sends is ignored
  };
  const server = listen(path, onClient);
  return () => {
    server?.close();
    unsubscribe?.();
    unsubscribe = undefined;
    for (const socket of clients.keys()) {
      socket.end();
      setTimeout(() => socket.destroy(), lastBytesMs).unref();
    }
  };
}

function lineOf(event: AgentEvent & { readonly dropped?: number }): string {
  return `${JSON.stringify(event)}\n`;
}

function listen(path: string, onClient: (socket: Socket) => void): Server | undefined {
  try {
    rmSync(path, { force: true }); // of an earlier process of this run
    const server = createServer(onClient);
    server.on("error", () => {}); // the file system has no sockets
    server.listen(path, () => {
      try {
        chmodSync(path, 0o600);
      } catch {
        // the run has ended meanwhile, and only its user can enter the folder
      }
    });
    server.unref();
    return server;
  } catch {
    return undefined;
  }
}
