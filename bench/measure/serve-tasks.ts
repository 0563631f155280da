/** What a worker process sends: one message when it has loaded, and one for each task. */
export type Reply<Result> =
  | { readonly type: "ready" }
  | { readonly type: "failed"; readonly why: string }
  | { readonly type: "done"; readonly result: Result };

/** Makes this process a worker: it loads once, then runs each task that the parent process sends. */
export async function serveTasks<Task, Result>(load: () => Promise<(task: Task) => Promise<Result>>): Promise<void> {
  try {
    const run = await load();
    process.on("message", (task: Task) => {
      run(task).then((result) => send({ type: "done", result }), sendFailure);
    });
    send({ type: "ready" });
  } catch (error) {
    sendFailure(error);
  }
}

function sendFailure(error: unknown): void {
  send({ type: "failed", why: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) });
}

function send(reply: Reply<unknown>): void {
  process.send?.(reply);
}
