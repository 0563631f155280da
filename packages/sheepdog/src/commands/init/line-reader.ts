import type { Io } from "../../io.ts";

/** Lines that the user types. */
export interface LineReader {
  /** The next line without its line break; undefined at the end of the input. */
  next(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Reads the lines of stdin. */
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
