import type { InterruptSignal, Io, Output } from "../src/io.ts";

/** A world that remembers what was written to it. */
export interface FakeIo extends Io {
  out(): string;
  err(): string;
  interrupt(signal?: InterruptSignal): void;
}

/** What is special about a fake world. */
interface Special {
  readonly stdin?: string | Uint8Array;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** The system's codes for outputs that cannot be written to. */
  readonly failing?: { readonly stdout?: string; readonly stderr?: string };
}

/** An `Io` without a terminal unless told. */
export function fakeIo(options: Special = {}): FakeIo {
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

function remember(options: Special, failure: string | undefined): { readonly output: Output; text(): string } {
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
