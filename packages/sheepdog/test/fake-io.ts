import type { InterruptSignal, Io, Output } from "../src/io.ts";

/** An `Io` that records its output. */
export interface FakeIo extends Io {
  out(): string;
  err(): string;
  interrupt(signal?: InterruptSignal): void;
}

/** How a fake `Io` differs from the default. */
interface FakeIoOptions {
  readonly stdin?: string | Uint8Array;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Error codes of outputs that cannot be written. */
  readonly failing?: { readonly stdout?: string; readonly stderr?: string };
}

/** Creates an `Io`, by default without a terminal. */
export function fakeIo(options: FakeIoOptions = {}): FakeIo {
  const stdout = remember(options, options.failing?.stdout);
  const stderr = remember(options, options.failing?.stderr);
  let listener = (_: InterruptSignal): void => {};
  return {
    stdin: Object.assign(once(options.stdin ?? ""), { isTTY: options.isTTY ?? false }),
    stdout: stdout.output,
    stderr: stderr.output,
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    onInterrupt(given) {
      listener = given;
      return () => {
        listener = () => {};
      };
    },
    out: stdout.text,
    err: stderr.text,
    interrupt: (signal = "SIGINT") => listener(signal),
  };
}

async function* once(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof content === "string" ? Buffer.from(content) : content;
}

function remember(options: FakeIoOptions, failure: string | undefined): { readonly output: Output; text(): string } {
  let text = "";
  const write: Output["write"] = (more, done) => {
    if (failure === undefined) text += more;
    if (done !== undefined)
      setImmediate(
        done,
        failure === undefined ? undefined : Object.assign(new Error(`${failure}: write`), { code: failure }),
      );
  };
  return {
    output: {
      isTTY: options.isTTY ?? false,
      ...(options.columns === undefined ? {} : { columns: options.columns }),
      write,
    },
    text: () => text,
  };
}
