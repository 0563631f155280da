import { availableParallelism } from "node:os";
import { redactSecrets } from "@sheepdog/records";
import { createWorkThread, type ThreadProgram, type WorkThread } from "../threads/work-thread.ts";
import type { FileAnswer } from "./analyze-items.ts";
import { collectFacts, type FileFacts } from "./file-facts.ts";
import { performReadTask, type ReadTask } from "./read-task.ts";

/** Reads several files at once, each in a thread. */
export interface ReaderPool {
  /** Reads a file when its turn has come; an urgent one is next. Never rejects. */
  read(task: ReadTask, size: JobSize): Promise<FileFacts>;
  /** Ends all work at once. What was being read is never answered. */
  close(): void;
}

interface JobSize {
  readonly bytes: number;
  readonly isUrgent?: boolean;
}

const MAX_THREADS = 4;
/** A thread takes a moment to start, in which another one reads about this much. */
const BYTES_PER_THREAD = 8_000_000;
/** Of larger files one is read at a time: the runs of a file are in memory together. */
const LARGE_BYTES = 64_000_000;
/** A file whose runs need more memory is reported. */
const MAX_HEAP_MB = 2_048;

interface Job {
  readonly task: ReadTask;
  readonly isLarge: boolean;
  readonly finish: (facts: FileFacts) => void;
}

/** Creates a pool for this many bytes. Its threads start when they are needed. */
export function createReaderPool(
  bytes: number,
  program: () => Promise<ThreadProgram | undefined> = readProgram,
): ReaderPool {
  const count = Math.min(MAX_THREADS, availableParallelism(), Math.max(1, Math.ceil(bytes / BYTES_PER_THREAD)));
  const threads = Array.from({ length: count }, () => createReadThread(program));
  const idle = [...threads];
  const waiting: Job[] = [];
  let isLargeRunning = false;
  let isClosed = false;

  function startNext(): void {
    const thread = isClosed ? undefined : idle.pop();
    if (thread === undefined) return;
    const next = waiting.findIndex(({ isLarge }) => !isLarge || !isLargeRunning);
    const [job] = next < 0 ? [] : waiting.splice(next, 1);
    if (job === undefined) {
      idle.push(thread);
      return;
    }
    if (job.isLarge) isLargeRunning = true;
    void readIn(thread, job.task).then((facts) => {
      if (isClosed) return; // the file may not have been read to its end
      if (job.isLarge) isLargeRunning = false;
      idle.push(thread);
      job.finish(facts);
      for (const _ of threads) startNext();
    });
  }

  return {
    read: (task, { bytes: size, isUrgent = false }) =>
      new Promise((finish) => {
        const job = { task, isLarge: size > LARGE_BYTES, finish };
        if (isUrgent) waiting.unshift(job);
        else waiting.push(job);
        startNext();
      }),
    close() {
      isClosed = true;
      for (const thread of threads) thread.close();
    },
  };
}

interface ReadThread extends WorkThread<ReadTask, FileAnswer> {
  /** The error that ended it last. */
  lastError(): unknown;
}

function createReadThread(program: () => Promise<ThreadProgram | undefined>): ReadThread {
  let lastError: unknown;
  const onError = (error: unknown) => {
    lastError = error;
  };
  const thread = createWorkThread({ program, performHere: performReadTask, maxHeapMb: MAX_HEAP_MB, onError });
  return { ...thread, lastError: () => lastError };
}

async function readIn(thread: ReadThread, task: ReadTask): Promise<FileFacts> {
  const facts = collectFacts(task.copies);
  const skip = (why: string) =>
    facts.add({ type: "skipped", skipped: { file: task.file, line: 0, why: redactSecrets(why) }, isTemporary: true });
  try {
    if (!(await thread.perform(task, facts.add))) skip(failureText(thread.lastError()));
  } catch (error) {
    skip(failureText(error));
  }
  return facts.current();
}

function failureText(error: unknown): string {
  if (error === undefined) return "reading it ended early";
  if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY")
    return "it needs more memory than one recording may take";
  return `reading it failed: ${error instanceof Error ? error.message : String(error)}`;
}

async function readProgram(): Promise<ThreadProgram | undefined> {
  return (await import("./read-worker.ts")).readProgram;
}
