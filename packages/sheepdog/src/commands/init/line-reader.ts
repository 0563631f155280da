import type { Io } from "../../io.ts";

/** Lines that a person types. */
export interface LineReader {
  /** The next line without its end; undefined once there is none. */
  next(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Reads lines as the terminal hands them out. */
export function readLines(stdin: Io["stdin"]): LineReader {
  const lines = linesOf(stdin);
  return {
    async next() {
      const { done, value } = await lines.next();
      return done ? undefined : value;
    },
    async close() {
      await lines.return(undefined);
    },
  };
}

async function* linesOf(stdin: Io["stdin"]): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stdin) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
  return undefined;
}
