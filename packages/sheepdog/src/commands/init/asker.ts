import { type Io, write } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { readLines } from "./line-reader.ts";

/** What an answer means, or why it means nothing. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** A question: what it is about, what an empty line means, and how to read an answer. */
interface Question<T> {
  readonly text: string;
  readonly usual: string;
  read(answer: string): Read<T>;
}

/** Asks until an answer can be understood; undefined once nobody answers any more. */
export type Asker = <T>(question: Question<T>) => Promise<T | undefined>;

/** Lets something ask the person at the terminal. */
export async function withAsker<T>(io: Io, act: (ask: Asker) => Promise<T>): Promise<T> {
  const lines = readLines(io.stdin);
  const ask: Asker = async ({ text, usual, read }) => {
    for (;;) {
      await write(io.stderr, `${text} [${usual}] `);
      const line = await lines.next();
      if (line === undefined) {
        await write(io.stderr, "\n"); // the question stands on the line yet
        return undefined;
      }
      const answer = read(plainText(line) || usual);
      if (answer.ok) return answer.value;
      await write(io.stderr, `${plainText(answer.why)}\n`);
    }
  };
  try {
    return await act(ask);
  } finally {
    await lines.close();
  }
}
