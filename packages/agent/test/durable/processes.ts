import { spawn } from "node:child_process";
import type { AgentEvent } from "@sheepdog/agent";

/** An ended process and its output. */
export interface EndedProcess {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** All reports, in order. */
  readonly reports: readonly Report[];
  /** The events among the reports. */
  readonly events: readonly AgentEvent[];
}

/** One report of a process; the fields depend on its job. */
interface Report {
  readonly event?: AgentEvent;
  readonly reserved?: string;
  readonly killedAt?: string;
  readonly reason?: string;
  readonly steps?: number;
  readonly [more: string]: unknown;
}

export type ReportFilter = (report: Report) => boolean;

/** A running process. */
export interface Child {
  readonly pid: number;
  readonly ended: Promise<EndedProcess>;
  /** Resolves after the given number of matching reports. Rejects when the process ends without them. */
  until(filter: ReportFilter, times?: number): Promise<void>;
  /** How many reports match so far. */
  count(filter: ReportFilter): number;
  kill(signal: NodeJS.Signals): void;
}

/** Options of a process besides the input of its job. */
export interface ProcessOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Limit of open files. */
  readonly openFiles?: number;
}

/** Starts a job in a process of its own. */
export function start(
  program: string,
  job: string,
  input: object,
  { environment = {}, openFiles }: ProcessOptions = {},
): Child {
  const command = [process.execPath, program, job, JSON.stringify(input)];
  const limited =
    openFiles === undefined ? command : ["sh", "-c", `ulimit -n ${openFiles}; exec "$0" "$@"`, ...command];
  const child = spawn(limited[0] ?? "", limited.slice(1), {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  const reports: Report[] = [];
  const count = (filter: ReportFilter) => reports.filter(filter).length;
  const waiting = new Set<() => void>();
  let [rest, stderr] = ["", ""];
  let isOver = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    reports.push(...lines.map((line) => JSON.parse(line) as Report)); // written by `report`
    for (const check of waiting) check();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<EndedProcess>((resolve) =>
    child.on("close", (code, signal) => {
      isOver = true;
      for (const check of waiting) check();
      resolve({ code, signal, stderr, reports, events: reports.flatMap(({ event }) => event ?? []) });
    }),
  );
  return {
    pid: child.pid ?? -1,
    ended,
    kill: (signal) => void child.kill(signal),
    count,
    until: (filter, times = 1) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const isMatched = count(filter) >= times;
          if (!isMatched && !isOver) return;
          waiting.delete(check);
          if (isMatched) resolve();
          else reject(new Error(`The process ended without the report: ${stderr}`));
        };
        waiting.add(check);
        check();
      }),
  };
}

/** Runs work for each item, a few at a time, and returns the results in order. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  concurrency = 3,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
