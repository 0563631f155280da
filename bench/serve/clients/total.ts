import { addFaults, type Faults, noFaults } from "./check-client.ts";
import type { Histogram } from "./message-log.ts";
import type { ClientsResult } from "./task.ts";

/** Milliseconds that a share of the messages stayed below. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** What all processes of clients did together. */
export interface ClientsTotal {
  /** Of the process that took longest. */
  readonly ms: number;
  readonly savedMessages: number;
  readonly bytes: number;
  readonly faults: Faults;
  readonly lostConnections: number;
  readonly cpuMs: number;
  /** Undefined if there was no message. */
  readonly savedLatency: Latency | undefined;
  readonly liveLatency: Latency | undefined;
  readonly liveMessages: number;
  /** The share of live messages that did not arrive, against the client that got most. */
  readonly liveDropped: number;
}

/** Adds the results of all processes of clients. */
export function total(results: readonly ClientsResult[]): ClientsTotal {
  const sum = (value: (result: ClientsResult) => number) => results.reduce((all, result) => all + value(result), 0);
  const most = Math.max(...results.map(({ mostLiveMessages }) => mostLiveMessages));
  const liveMessages = sum((result) => result.liveMessages);
  const readers = sum((result) => result.readers);
  return {
    ms: Math.max(...results.map(({ ms }) => ms)),
    savedMessages: sum(({ savedMessages }) => savedMessages),
    bytes: sum(({ bytes }) => bytes),
    faults: results.map(({ faults }) => faults).reduce(addFaults, noFaults),
    lostConnections: sum(({ lostConnections }) => lostConnections),
    cpuMs: sum(({ cpuMs }) => cpuMs),
    savedLatency: latencyOf(results.map(({ savedLatency }) => savedLatency)),
    liveLatency: latencyOf(results.map(({ liveLatency }) => liveLatency)),
    liveMessages,
    liveDropped: most === 0 ? 0 : 1 - liveMessages / (most * readers),
  };
}

function latencyOf(histograms: readonly Histogram[]): Latency | undefined {
  const entries = histograms
    .flatMap((histogram) => Object.entries(histogram).map(([ms, count]) => ({ ms: Number(ms), count })))
    .sort((one, other) => one.ms - other.ms);
  const all = entries.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return undefined;
  const below = (share: number) => {
    let seen = 0;
    for (const { ms, count } of entries) {
      seen += count;
      if (seen >= share * all) return ms;
    }
    return entries.at(-1)?.ms ?? 0;
  };
  return { p50: below(0.5), p95: below(0.95), p99: below(0.99), max: below(1) };
}
