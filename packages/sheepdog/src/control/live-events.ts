import { type FSWatcher, lstatSync, readdirSync, watch } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { AgentEvent } from "@sheepdog/agent";
import { isId } from "../compose/ids.ts";
import type { Home } from "../home.ts";
import { createEventLines } from "./event-lines.ts";
import { liveSocketPath } from "./live-socket.ts";

/** Some file systems do not report new files, so the folder is also read at this interval. */
const pollMs = 500;
/** A run opens its socket a moment after its folder appears. */
const afterChangeMs = [0, 30, 150];
/** When a connection has failed or ended, it is tried again after this time, which doubles up to the longest. */
const reconnectMs = 30;
const maxReconnectMs = 2_000;
/** Events that arrive within this time are one batch. */
const batchMs = 10;

/**
 * Follows the events of all runs on a home as they are published, deltas included, and calls `onEvents` with batches of
 * them. Runs come and go; one that does not offer its events is left out. Events that were published before a run was
 * found are in the store. Returns the function that ends it.
 */
export function followLiveEvents({ controlDir }: Home, onEvents: (events: readonly AgentEvent[]) => void): () => void {
  const sockets = new Map<string, Socket>();
  const retries = new Map<string, { readonly waitMs: number; readonly at: number }>();
  const timers = new Set<NodeJS.Timeout>();
  let watcher: FSWatcher | undefined;
  let batch: AgentEvent[] = [];
  let isEnded = false;

  const later = (ms: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms).unref();
    timers.add(timer);
  };
  const flush = () => {
    const events = batch;
    batch = [];
    onEvents(events);
  };
  const add = (events: readonly AgentEvent[]) => {
    if (events.length === 0) return;
    if (batch.length === 0) later(batchMs, flush);
    batch.push(...events);
  };
  const follow = (runId: string, path: string) => {
    const readEvents = createEventLines();
    const socket = connect(path).unref();
    sockets.set(runId, socket);
    socket.on("data", (chunk) => add(readEvents(chunk)));
    socket.on("error", () => {}); // "close" follows: it does not listen yet, was killed, or has just ended
    socket.on("close", () => {
      if (isEnded) return;
      sockets.delete(runId);
      const waitMs = Math.min(2 * (retries.get(runId)?.waitMs ?? reconnectMs / 2), maxReconnectMs);
      retries.set(runId, { waitMs, at: Date.now() + waitMs });
      later(waitMs, scan);
    });
  };
  const scan = () => {
    watcher ??= watchFolder(controlDir, () => {
      for (const ms of afterChangeMs) later(ms, scan);
    });
    const runIds = namesIn(controlDir).filter(isId);
    for (const runId of retries.keys()) if (!runIds.includes(runId)) retries.delete(runId);
    for (const runId of runIds) {
      if (sockets.has(runId) || Date.now() < (retries.get(runId)?.at ?? 0)) continue;
      const path = liveSocketPath(join(controlDir, runId));
      if (path !== undefined && isSocket(path)) follow(runId, path);
    }
  };
  const polling = setInterval(scan, pollMs).unref();
  scan();

  function watchFolder(folder: string, onChange: () => void): FSWatcher | undefined {
    try {
      const started = watch(folder, { persistent: false }, onChange);
      started.on("error", () => {
        started.close();
        watcher = undefined; // the folder was removed: the next scan watches a new one
      });
      return started;
    } catch {
      return undefined; // there is no such folder yet, or the system has no more watches
    }
  }

  return () => {
    isEnded = true;
    clearInterval(polling);
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    watcher?.close();
    for (const socket of sockets.values()) socket.destroy();
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no run has started yet
  }
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false; // the run has just ended, or offers no events
  }
}
