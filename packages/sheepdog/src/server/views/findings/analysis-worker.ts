import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type AnalysisTask, type AnalyzedLine, performTask } from "./analysis-task.ts";

/** A task with its number. */
interface NumberedTask {
  readonly id: number;
  readonly task: AnalysisTask;
}

/** The answer to a task: its lines, and then its end. */
export type TaskAnswer =
  | { readonly id: number; readonly type: "line"; readonly analyzed: AnalyzedLine }
  | { readonly id: number; readonly type: "end" };

/** Tells this thread from others, such as those of a test runner. */
export const analysisMarker = "sheepdog-analysis";

/** The address of this module, which is the program of the thread: also after it was bundled. */
export const analysisWorkerUrl: string = import.meta.url;

if (!isMainThread && parentPort !== null && workerData === analysisMarker) serve(parentPort);

function serve(port: MessagePort): void {
  let last = Promise.resolve();
  port.on("message", ({ id, task }: NumberedTask) => {
    last = last.then(async () => {
      for await (const analyzed of performTask(task)) answer(port, { id, type: "line", analyzed });
      answer(port, { id, type: "end" });
    });
  });
}

function answer(port: MessagePort, message: TaskAnswer): void {
  port.postMessage(message);
}
