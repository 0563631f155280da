import { isMainThread, parentPort, workerData } from "node:worker_threads";

/** A task with its number. */
interface NumberedTask<Task> {
  readonly id: number;
  readonly task: Task;
}

/** What a thread says: that it works, the answers to a task, and its end. */
export type ThreadMessage<Answer> =
  | { readonly type: "ready" }
  | { readonly type: "answer"; readonly id: number; readonly answer: Answer }
  | { readonly type: "end"; readonly id: number };

/** Performs tasks if this is a thread with this marker. Others are those of a test runner, or of another program. */
export function serveTasks<Task, Answer>(marker: string, perform: (task: Task) => AsyncIterable<Answer>): void {
  const port = parentPort;
  if (isMainThread || port === null || workerData !== marker) return;
  const say = (message: ThreadMessage<Answer>) => port.postMessage(message);
  let last = Promise.resolve();
  port.on("message", ({ id, task }: NumberedTask<Task>) => {
    last = last.then(async () => {
      for await (const answer of perform(task)) say({ type: "answer", id, answer });
      say({ type: "end", id });
    });
  });
  say({ type: "ready" });
}
