/** Where output goes; a terminal says how wide it is. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string, done?: (error?: Error | null) => void): unknown;
}

/** How somebody asks a process to end. */
export type InterruptSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The world as a command sees it. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  /** What was asked for, and nothing else. */
  readonly stdout: Output;
  /** Everything said beside it. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute: where the command was called. */
  readonly cwd: string;
  /** Listens for Ctrl-C and for the system's wish that the process ends, each time; gives back how to stop listening. */
  onInterrupt(listener: (signal: InterruptSignal) => void): () => void;
}

/** Thrown where output cannot be written, to end the command at once. */
export class OutputError extends Error {
  /** A reader that goes away, as `head` does, has read enough: no error. */
  readonly isReaderGone: boolean;

  constructor(cause: Error) {
    super(`the output cannot be written (${cause.message})`, { cause });
    this.isReaderGone = "code" in cause && cause.code === "EPIPE";
  }
}

/** Writes and waits until it is written, so that a slow reader slows the writer down instead of filling the memory. Throws `OutputFailed`. */
export function write(output: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(new OutputError(error)) : resolve()));
  });
}

/** Tells the person at the keyboard something that is not output. */
export function writeMessage(io: Io, sentence: string): Promise<void> {
  return write(io.stderr, `sheepdog: ${sentence}\n`);
}
