import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type AnalysisTask, type AnalyzedLine, performTask } from "./analysis-task.ts";
import type { TaskAnswer } from "./analysis-worker.ts";

/** Performs tasks of the analysis, in another thread where possible. Never rejects; what fails has no lines. */
export interface Analyzer {
  perform(task: AnalysisTask, onLine: (analyzed: AnalyzedLine) => void): Promise<void>;
}

/** A thread without work ends after this time, which frees its memory. */
const IDLE_MS = 30_000;
/** A run that needs more memory is left out. */
const MAX_HEAP_MB = 1_024;

interface Pending {
  readonly onLine: (analyzed: AnalyzedLine) => void;
  readonly end: (isFailed: boolean) => void;
}

/** The program of the thread; undefined if it cannot run in one, as from source. */
export async function analysisProgram(): Promise<{ readonly url: string; readonly marker: string } | undefined> {
  const { analysisWorkerUrl: url, analysisMarker: marker } = await import("./analysis-worker.ts");
  return url.endsWith(".ts") ? undefined : { url, marker };
}

/** Creates an analyzer. If the thread cannot be started, the work is done here, one run at a time. */
export function createAnalyzer(program: typeof analysisProgram = analysisProgram): Analyzer {
  const pending = new Map<number, Pending>();
  let worker: Worker | undefined;
  let hasAnswered = false;
  let isBroken = false;
  let tasks = 0;
  let idle: NodeJS.Timeout | undefined;

  function close(): void {
    void worker?.terminate();
    worker = undefined;
  }

  function onAnswer(message: TaskAnswer): void {
    hasAnswered = true;
    const task = pending.get(message.id);
    if (message.type === "line") {
      task?.onLine(message.analyzed);
      return;
    }
    pending.delete(message.id);
    task?.end(false);
  }

  function onCrash(crashed: Worker): void {
    if (worker !== crashed) return;
    worker = undefined;
    if (!hasAnswered) isBroken = true; // it never worked: from now on the work is done here
    const open = [...pending.values()];
    pending.clear();
    for (const { end } of open) end(true);
  }

  function startWorker(url: string, marker: string): Worker {
    const started = new Worker(new URL(url), {
      workerData: marker,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    started.on("message", onAnswer);
    started.on("error", () => onCrash(started));
    started.on("exit", () => onCrash(started));
    started.unref(); // last, since a listener keeps the process alive
    return started;
  }

  return {
    async perform(task, onLine) {
      const found = isBroken ? undefined : await program();
      if (found === undefined) return performHere(task, onLine);
      clearTimeout(idle);
      worker ??= startWorker(found.url, found.marker);
      const id = ++tasks;
      const isFailed = await new Promise<boolean>((resolve) => {
        pending.set(id, { onLine, end: resolve });
        worker?.postMessage({ id, task });
      });
      if (pending.size === 0) idle = setTimeout(close, IDLE_MS).unref();
      if (isFailed && isBroken) await performHere(task, onLine);
    },
  };
}

async function performHere(task: AnalysisTask, onLine: (analyzed: AnalyzedLine) => void): Promise<void> {
  for await (const analyzed of performTask(task)) {
    onLine(analyzed);
    await setImmediate(); // requests are answered between two runs
  }
}
