import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { ThreadMessage } from "./serve-tasks.ts";

/** Performs tasks one after the other, in another thread where possible. */
export interface WorkThread<Task, Answer> {
  /** Returns false if the thread ended during the task. Never rejects because of the thread. */
  perform(task: Task, onAnswer: (answer: Answer) => void): Promise<boolean>;
  /** Ends the thread at once; open tasks return false. A later task starts another one. */
  close(): void;
}

/** The module that a thread runs, and the marker with which it serves tasks. */
export interface ThreadProgram {
  readonly url: string;
  readonly marker: string;
}

/** How tasks are performed. */
export interface WorkThreadOptions<Task, Answer> {
  /** undefined if the program cannot run in a thread, as from source: then the tasks are performed here. */
  program(): Promise<ThreadProgram | undefined>;
  performHere(task: Task): AsyncIterable<Answer>;
  /** A task that needs more memory ends the thread. */
  readonly maxHeapMb?: number;
  /** Called with the error that ends the thread, before its tasks return false. */
  onError?(error: unknown): void;
}

/** A thread without work ends after this time, which frees its memory. */
const IDLE_MS = 30_000;
const MAX_HEAP_MB = 1_024;

/** The address of a module that serves tasks: of the built one only. */
export function threadProgram(url: string, marker: string): ThreadProgram | undefined {
  return url.endsWith(".ts") ? undefined : { url, marker };
}

interface Pending<Answer> {
  readonly onAnswer: (answer: Answer) => void;
  readonly end: (isDone: boolean) => void;
}

/**
 * Creates a thread that starts with its first task. It does not keep the process alive. If it cannot be started, the
 * work is done here.
 */
export function createWorkThread<Task, Answer>(options: WorkThreadOptions<Task, Answer>): WorkThread<Task, Answer> {
  const pending = new Map<number, Pending<Answer>>();
  let worker: Worker | undefined;
  let isWorking = false;
  let isBroken = false;
  let tasks = 0;
  let idle: NodeJS.Timeout | undefined;

  function close(): void {
    const closed = worker;
    if (closed !== undefined) onEnd(closed, { isCrash: false });
    void closed?.terminate();
  }

  function onMessage(message: ThreadMessage<Answer>): void {
    isWorking = true;
    if (message.type === "ready") return;
    const task = pending.get(message.id);
    if (message.type === "answer") {
      task?.onAnswer(message.answer);
      return;
    }
    pending.delete(message.id);
    task?.end(true);
  }

  function onEnd(ended: Worker, { isCrash }: { readonly isCrash: boolean }): void {
    if (worker !== ended) return;
    worker = undefined;
    if (isCrash && !isWorking) isBroken = true; // it never worked: from now on the work is done here
    const open = [...pending.values()];
    pending.clear();
    for (const { end } of open) end(false);
  }

  function startWorker({ url, marker }: ThreadProgram): Worker {
    const started = new Worker(new URL(url), {
      workerData: marker,
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb ?? MAX_HEAP_MB },
    });
    started.on("message", onMessage);
    started.on("error", (error) => {
      options.onError?.(error);
      onEnd(started, { isCrash: true });
    });
    started.on("exit", () => onEnd(started, { isCrash: true }));
    started.unref(); // last, since a listener keeps the process alive
    return started;
  }

  async function performHere(task: Task, onAnswer: (answer: Answer) => void): Promise<boolean> {
    for await (const answer of options.performHere(task)) {
      onAnswer(answer);
      await setImmediate(); // other work gets a chance between two answers
    }
    return true;
  }

  return {
    async perform(task, onAnswer) {
      const program = isBroken ? undefined : await options.program();
      if (program === undefined) return performHere(task, onAnswer);
      clearTimeout(idle);
      worker ??= startWorker(program);
      const id = ++tasks;
      const isDone = await new Promise<boolean>((resolve) => {
        pending.set(id, { onAnswer, end: resolve });
        worker?.postMessage({ id, task });
      });
      if (pending.size === 0) idle = setTimeout(close, IDLE_MS).unref();
      return isDone || !isBroken ? isDone : performHere(task, onAnswer);
    },
    close,
  };
}
