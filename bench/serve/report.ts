import { median, quantile } from "../measure/median.ts";
import type { BasicReport } from "../measure/report.ts";
import { aligned, tableOf, thousands, verdict } from "../measure/table.ts";
import type { Faults } from "./clients/check-client.ts";
import { addFaults, noFaults } from "./clients/check-client.ts";
import type { Latency } from "./clients/total.ts";
import { load, phaseMs } from "./load.ts";
import type { Phase, Round } from "./round.ts";
import { rowsOf } from "./rows.ts";

/** A phase in absolute figures: medians of the rounds. */
interface PhaseFigures {
  readonly phase: string;
  readonly turns: number;
  readonly turnMs: number;
  readonly turnP95Ms: number;
  readonly cpuMsPerTurn: number;
  /** Milliseconds in a second that the runs were ready and waited for a processor; null where that is unknown. */
  readonly waitMsPerSecond: number | null;
  readonly serverShare?: number;
  readonly serverMemory?: number;
  readonly clients?: {
    /** The share of one processor that the processes of the clients took. */
    readonly processorShare: number;
    readonly saved?: Latency;
    readonly live?: Latency;
    readonly messagesPerSecond: number;
    readonly liveMessagesPerSecond: number;
    readonly megabytesPerSecond: number;
    readonly liveDropped: number;
  };
}

/** Everything that was measured. */
export interface Report extends BasicReport<"serve"> {
  readonly load: typeof load;
  readonly phases: readonly PhaseFigures[];
  readonly memoryAfter: number;
  readonly reconnectMs: readonly number[];
  readonly catchUpMs: readonly number[];
  readonly checkedMessages: number;
  readonly faults: Faults;
  readonly lostConnections: number;
}

/** Makes the report of all rounds. */
export function reportOf(rounds: readonly Round[]): Report {
  return {
    benchmark: "serve",
    date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    method:
      "Clock, unless a column says processor; runs, server and clients share the processors of one machine; " +
      "each ratio is the median over rounds of the ratio within a round.",
    rows: rowsOf(rounds),
    load,
    phases: [
      figuresOf(
        "runs alone",
        rounds.map(({ alone }) => alone),
      ),
      figuresOf(
        "server without clients",
        rounds.map(({ idle }) => idle),
      ),
      figuresOf(
        `${thousands(load.clients)} clients`,
        rounds.map(({ following }) => following),
      ),
      figuresOf(
        `and ${load.unread} that never read`,
        rounds.map(({ unread }) => unread),
      ),
    ],
    memoryAfter: median(rounds.map(({ memoryAfter }) => memoryAfter)),
    reconnectMs: rounds.map(({ reconnectMs }) => reconnectMs),
    catchUpMs: rounds.map(({ catchUpMs }) => catchUpMs),
    checkedMessages: rounds.reduce((sum, { messages }) => sum + messages * load.clients, 0),
    faults: rounds.map(({ check }) => check.faults).reduce(addFaults, noFaults),
    lostConnections: Math.max(...rounds.map(({ check }) => check.lostConnections)),
  };
}

/** Saved messages that did not arrive as they should, and connections that the server ended. */
export function faultCount({ faults, lostConnections }: Pick<Report, "faults" | "lostConnections">): number {
  return faults.lost + faults.doubled + faults.misplaced + faults.different + lostConnections;
}

/** The report as a text table. */
export function asTable(report: Report): string {
  const { faults, reconnectMs, catchUpMs, checkedMessages, lostConnections, phases } = report;
  return [
    `Serve, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    "On this machine, now:",
    ...aligned([phaseHead, ...phases.map(phaseCells)], phaseHead.map((_, column) => column).slice(1)),
    "",
    ...aligned([clientHead, ...phases.flatMap(clientCells)], clientHead.map((_, column) => column).slice(1)),
    "",
    "wait: how long in each second the process of the runs was ready and waited for a processor.",
    `All clients reconnect: caught up after ${reconnectMs.map(thousands).join(", ")} ms.`,
    `Those that had not read: caught up after ${catchUpMs.map(thousands).join(", ")} ms.`,
    `Server after all have left: ${thousands(report.memoryAfter)} MB.`,
    `${thousands(checkedMessages)} saved messages checked: ${faults.lost} lost, ${faults.doubled} doubled, ` +
      `${faults.misplaced} out of order, ${faults.different} different; ${lostConnections} connections lost.`,
    "",
    verdict(report.rows),
    "",
  ].join("\n");
}

const phaseHead = [
  "",
  "turns",
  "turn, ms",
  "p95",
  "processor, ms",
  "wait, ms/s",
  "server, MB",
  "server, processor",
  "clients",
];
const clientHead = [
  "",
  "saved p50, ms",
  "p95",
  "p99",
  "max",
  "live p50",
  "p95",
  "saved/s",
  "live/s",
  "MB/s",
  "live dropped",
];

function phaseCells(figures: PhaseFigures): readonly string[] {
  const { phase, turns, turnMs, turnP95Ms, cpuMsPerTurn, waitMsPerSecond, serverMemory, serverShare, clients } =
    figures;
  return [
    phase,
    ...[turns, turnMs, turnP95Ms].map(thousands),
    cpuMsPerTurn.toFixed(1),
    waitMsPerSecond === null ? "" : thousands(waitMsPerSecond),
    serverMemory === undefined ? "" : thousands(serverMemory),
    serverShare === undefined ? "" : percent(serverShare),
    clients === undefined ? "" : percent(clients.processorShare),
  ];
}

function clientCells({ phase, clients }: PhaseFigures): readonly (readonly string[])[] {
  if (clients === undefined) return [];
  const { saved, live, messagesPerSecond, liveMessagesPerSecond, megabytesPerSecond, liveDropped } = clients;
  const latency = [saved?.p50, saved?.p95, saved?.p99, saved?.max, live?.p50, live?.p95];
  return [
    [
      phase,
      ...latency.map((ms) => (ms === undefined ? "–" : thousands(ms))),
      thousands(messagesPerSecond),
      thousands(liveMessagesPerSecond),
      megabytesPerSecond.toFixed(1),
      percent(liveDropped),
    ],
  ];
}

type MeasuredPhase = Pick<Phase, "turns" | "cpuMs" | "waitMs"> & Partial<Phase>;

function figuresOf(phase: string, rounds: readonly MeasuredPhase[]): PhaseFigures {
  const over = (value: (measured: MeasuredPhase) => number | undefined) => {
    const values = rounds.map(value).filter((figure) => figure !== undefined);
    return values.length === 0 ? undefined : median(values);
  };
  const always = (value: (measured: MeasuredPhase) => number) => median(rounds.map(value));
  const latency = (kind: "savedLatency" | "liveLatency"): Latency | undefined => {
    const of = (share: keyof Latency) => over(({ clients }) => clients?.[kind]?.[share]);
    const [p50, p95, p99, max] = [of("p50"), of("p95"), of("p99"), of("max")];
    if (p50 === undefined || p95 === undefined || p99 === undefined || max === undefined) return undefined;
    return { p50, p95, p99, max };
  };
  const perSecond = (value: (clients: Phase["clients"]) => number) =>
    over(({ clients }) => (clients === undefined ? undefined : value(clients) / (phaseMs / 1_000))) ?? 0;
  const [saved, live] = [latency("savedLatency"), latency("liveLatency")];
  const waitMsPerSecond = always(({ waitMs }) => (waitMs / phaseMs) * 1_000);
  const serverShare = over((measured) => measured.serverShare);
  const serverMemory = over((measured) => measured.serverMemory);
  return {
    phase,
    turns: always(({ turns }) => turns.length),
    turnMs: always(({ turns }) => median(turns)),
    turnP95Ms: always(({ turns }) => quantile(turns, 0.95)),
    cpuMsPerTurn: always(({ turns, cpuMs }) => cpuMs / turns.length),
    waitMsPerSecond: Number.isNaN(waitMsPerSecond) ? null : waitMsPerSecond,
    ...(serverShare === undefined ? {} : { serverShare }),
    ...(serverMemory === undefined ? {} : { serverMemory }),
    ...(saved === undefined
      ? {}
      : {
          clients: {
            processorShare: perSecond(({ cpuMs }) => cpuMs / 1_000),
            saved,
            ...(live === undefined ? {} : { live }),
            messagesPerSecond: perSecond(({ savedMessages }) => savedMessages),
            liveMessagesPerSecond: perSecond(({ liveMessages }) => liveMessages),
            megabytesPerSecond: perSecond(({ bytes }) => bytes / 1e6),
            liveDropped: over(({ clients }) => clients?.liveDropped) ?? 0,
          },
        }),
  };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
