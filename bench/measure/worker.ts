import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Reply } from "./serve-tasks.ts";

/** A contestant in a process of its own, which stays warm between tasks. */
export interface Worker<Task, Result> {
  readonly name: string;
  /** Rejects when the contestant fails. */
  run(task: Task): Promise<Result>;
  stop(): void;
}

/** Starts a script that serves the contestant of this name. Rejects when the contestant cannot be loaded. */
export async function startWorker<Task extends object, Result>(
  name: string,
  script: URL,
): Promise<Worker<Task, Result>> {
  const child = fork(fileURLToPath(script), [name], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  try {
    await nextReply(child);
  } catch (error) {
    child.kill();
    throw error;
  }
  return {
    name,
    async run(task) {
      const pendingReply = nextReply<Result>(child);
      child.send(task);
      const reply = await pendingReply;
      if (reply.type !== "done") throw new Error(`Expected a result from ${name}; got ${reply.type}.`);
      return reply.result;
    },
    stop: () => void child.kill(),
  };
}

function nextReply<Result>(child: ChildProcess): Promise<Reply<Result>> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: string | null) =>
      reject(new Error(`its process exited with ${signal ?? code}`));
    child.once("exit", onExit);
    child.once("message", (reply: Reply<Result>) => {
      child.off("exit", onExit);
      if (reply.type === "failed") reject(new Error(reply.why));
      else resolve(reply);
    });
  });
}
