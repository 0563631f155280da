import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Answer, Order, Taken } from "./child.ts";

/** A contestant in a process of its own, which stays warm between orders. */
export interface Player {
  readonly name: string;
  /** Rejects where the contestant cannot do it. */
  play(turns: number): Promise<Taken>;
  leave(): void;
}

/** Starts a contestant. Rejects where it cannot be used here. */
export async function startPlayer(name: string): Promise<Player> {
  const child = fork(fileURLToPath(new URL("child.ts", import.meta.url)), [name], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  try {
    await answerOf(child);
  } catch (error) {
    child.kill();
    throw error;
  }
  return {
    name,
    async play(turns) {
      const answered = answerOf(child);
      child.send({ turns } satisfies Order);
      const answer = await answered;
      if (answer.type !== "played") throw new Error(`Expected ${name} to have played; it is ${answer.type}.`);
      return answer;
    },
    leave: () => void child.kill(),
  };
}

function answerOf(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const left = (code: number | null) => reject(new Error(`its process ended with ${code}`));
    child.once("exit", left);
    child.once("message", (answer: Answer) => {
      child.off("exit", left);
      if (answer.type === "failed") reject(new Error(answer.why));
      else resolve(answer);
    });
  });
}
