import { withProgramName } from "./program-name.ts";
import { widthOf } from "./render/terminal/width.ts";
import { wrap } from "./render/terminal/wrap.ts";

/** An output stream. A terminal also has a width. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string, done?: (error?: Error | null) => void): unknown;
}

/** The signals that ask a process to end. */
export type InterruptSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The streams, environment and signals of the process, as a command sees them. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean; readonly fd?: number };
  /** The result of the command, and nothing else. */
  readonly stdout: Output;
  /** Progress, notes, questions and errors. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder in which the command was started. */
  readonly cwd: string;
  /** Calls the listener for every interrupt signal. Returns a function that removes the listener. */
  onInterrupt(listener: (signal: InterruptSignal) => void): () => void;
}

/** Thrown if output cannot be written. It ends the command at once. */
export class OutputError extends Error {
  /** Whether the reader closed its end, as `head` does. That is not a failure. */
  readonly isReaderGone: boolean;

  constructor(cause: Error) {
    super(`the output cannot be written (${cause.message})`, { cause });
    this.isReaderGone = "code" in cause && cause.code === "EPIPE";
  }
}

/** Writes, and waits until the text is written: a slow reader slows the command down. Throws `OutputError`. */
export function write(output: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(new OutputError(error)) : resolve()));
  });
}

/** Rings the bell of a terminal; other outputs have none. */
export function ringBell(output: Output): void {
  if (output.isTTY === true) output.write("\u0007");
}

/** Writes a sentence to stderr, with the name of the program in front. */
export function writeMessage(io: MessageIo, sentence: string): Promise<void> {
  return writeError(io, `sheepdog: ${sentence}\n`);
}

/**
 * Writes a text to stderr as `messageText` does. A key that was typed in a wrong place is not repeated. The redaction
 * is loaded here, since most commands write no message.
 */
export async function writeError(io: MessageIo, text: string): Promise<void> {
  const { redactText } = await import("./config/redact-value.ts");
  await write(io.stderr, messageText(io, redactText(text, io.env)));
}

type MessageIo = Pick<Io, "stderr" | "env">;

/**
 * A text for stderr. In a terminal its lines break between words to fit. Commands in it are as the user calls this
 * program.
 */
export function messageText({ stderr, env }: MessageIo, text: string): string {
  const { isTTY, columns = 0 } = stderr;
  const typed = withProgramName(text, env);
  if (isTTY !== true || columns < 1) return typed;
  return typed
    .split("\n")
    .flatMap((line) => fittedLines(line, columns))
    .join("\n");
}

/** The parts of a long line keep its indentation. */
function fittedLines(line: string, columns: number): readonly string[] {
  if (widthOf(line) <= columns) return [line];
  const indent = /^ */.exec(line)?.[0] ?? "";
  return wrap(line, columns - indent.length).map((part) => indent + part);
}
