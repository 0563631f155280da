/** Where output goes; a terminal says how wide it is. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string, done?: () => void): unknown;
}

/** The world as a command sees it. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  /** What was asked for, and nothing else. */
  readonly stdout: Output;
  /** Everything said beside it. */
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Listens for Ctrl-C; gives back how to stop listening. */
  onInterrupt(listener: () => void): () => void;
}

/** Writes and waits until it is written, so that a slow reader slows the writer down instead of filling the memory. */
export function write(output: Output, text: string): Promise<void> {
  return new Promise((resolve) => {
    output.write(text, () => resolve());
  });
}

/** Tells the person at the keyboard something that is not output. */
export function complain(io: Io, sentence: string): Promise<void> {
  return write(io.stderr, `sheepdog: ${sentence}\n`);
}
