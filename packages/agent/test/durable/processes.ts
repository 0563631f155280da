import { spawn } from "node:child_process";
import type { AgentEvent } from "@sheepdog/agent";

/** What came of a process, and what it said before it ended. */
export interface EndedProcess {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** All it said, in order. */
  readonly reports: readonly Report[];
  /** The events among it. */
  readonly events: readonly AgentEvent[];
}

/** One thing a process says; which of them is its job's affair. */
interface Report {
  readonly event?: AgentEvent;
  readonly reserved?: string;
  readonly killedAt?: string;
  readonly reason?: string;
  readonly steps?: number;
  readonly [more: string]: unknown;
}

export type ReportFilter = (told: Report) => boolean;

/** A process that goes on. */
export interface Child {
  readonly pid: number;
  readonly ended: Promise<EndedProcess>;
  /** Resolves when it has said what is asked for, as often as that. Rejects where it ends without. */
  until(wanted: ReportFilter, times?: number): Promise<void>;
  /** How often it has said it up to now. */
  count(wanted: ReportFilter): number;
  kill(signal: NodeJS.Signals): void;
}

/** What a process is started with besides its order. */
export interface ProcessOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** How many files it may have open. */
  readonly openFiles?: number;
}

/** Starts a job as a process. */
export function start(
  program: string,
  job: string,
  order: object,
  { environment = {}, openFiles }: ProcessOptions = {},
): Child {
  const command = [process.execPath, program, job, JSON.stringify(order)];
  const limited =
    openFiles === undefined ? command : ["sh", "-c", `ulimit -n ${openFiles}; exec "$0" "$@"`, ...command];
  const child = spawn(limited[0] ?? "", limited.slice(1), {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  const reports: Report[] = [];
  const count = (wanted: ReportFilter) => reports.filter(wanted).length;
  const waiting = new Set<() => void>();
  let [rest, stderr] = ["", ""];
  let isOver = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    reports.push(...lines.map((line) => JSON.parse(line) as Report)); // what `tell` wrote
    for (const look of waiting) look();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<EndedProcess>((resolve) =>
    child.on("close", (code, signal) => {
      isOver = true;
      for (const look of waiting) look();
      resolve({ code, signal, stderr, reports, events: reports.flatMap(({ event }) => event ?? []) });
    }),
  );
  return {
    pid: child.pid ?? -1,
    ended,
    kill: (signal) => void child.kill(signal),
    count,
    until: (wanted, times = 1) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const isSaid = count(wanted) >= times;
          if (!isSaid && !isOver) return;
          waiting.delete(look);
          if (isSaid) resolve();
          else reject(new Error(`The process ended without saying it: ${stderr}`));
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Does the same for each, a few at a time. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  atOnce = 3,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [place, item] of queue) results[place] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
