import { type Io, write } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { readLines } from "./line-reader.ts";

/** The value of an answer, or why the answer is wrong. */
export type ReadAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** A question, its default answer, and how to read an answer. */
interface Question<T> {
  readonly text: string;
  /** Used for an empty line. */
  readonly defaultAnswer: string;
  read(answer: string): ReadAnswer<T>;
}

/** Asks until the answer is valid; returns undefined at the end of the input. */
export type Asker = <T>(question: Question<T>) => Promise<T | undefined>;

/** Runs a function that asks the user at the terminal. */
export async function withAsker<T>(io: Io, run: (ask: Asker) => Promise<T>): Promise<T> {
  const lines = readLines(io.stdin);
  const ask: Asker = async ({ text, defaultAnswer, read }) => {
    for (;;) {
      await write(io.stderr, `${text} ${defaultAnswer === "" ? "" : `[${defaultAnswer}] `}`);
      const line = await lines.next();
      if (line === undefined) {
        await write(io.stderr, "\n"); // the cursor is still behind the question
        return undefined;
      }
      const answer = read(plainText(line) || defaultAnswer);
      if (answer.ok) return answer.value;
      await write(io.stderr, `${plainText(answer.why)}\n`);
    }
  };
  try {
    return await run(ask);
  } finally {
    await lines.close();
  }
}
