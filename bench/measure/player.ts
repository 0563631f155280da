import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Answer } from "./serve.ts";

/** A contestant in a process of its own, which stays warm between orders. */
export interface Player<Order, Taken> {
  readonly name: string;
  /** Rejects where the contestant cannot do it. */
  play(order: Order): Promise<Taken>;
  leave(): void;
}

/** Starts a contestant: the script is told its name and serves it. Rejects where it cannot be used here. */
export async function startPlayer<Order extends object, Taken>(
  name: string,
  script: URL,
): Promise<Player<Order, Taken>> {
  const child = fork(fileURLToPath(script), [name], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  try {
    await answerOf(child);
  } catch (error) {
    child.kill();
    throw error;
  }
  return {
    name,
    async play(order) {
      const answered = answerOf<Taken>(child);
      child.send(order);
      const answer = await answered;
      if (answer.type !== "played") throw new Error(`Expected ${name} to have played; it is ${answer.type}.`);
      return answer.taken;
    },
    leave: () => void child.kill(),
  };
}

function answerOf<Taken>(child: ChildProcess): Promise<Answer<Taken>> {
  return new Promise((resolve, reject) => {
    const left = (code: number | null, signal: string | null) =>
      reject(new Error(`its process ended with ${signal ?? code}`));
    child.once("exit", left);
    child.once("message", (answer: Answer<Taken>) => {
      child.off("exit", left);
      if (answer.type === "failed") reject(new Error(answer.why));
      else resolve(answer);
    });
  });
}
