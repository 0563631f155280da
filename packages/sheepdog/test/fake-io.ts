import type { Io, Output } from "../src/io.ts";

/** A world that remembers what was written to it. */
export interface FakeIo extends Io {
  out(): string;
  err(): string;
  interrupt(): void;
}

/** An `Io` without a terminal unless told. */
export function fakeIo(options: { stdin?: string | Uint8Array; isTTY?: boolean; columns?: number; env?: Record<string, string> } = {}): FakeIo {
  const stdout = remember(options);
  const stderr = remember(options);
  let listener = (): void => {};
  return {
    stdin: Object.assign(once(options.stdin ?? ""), { isTTY: options.isTTY ?? false }),
    stdout: stdout.output,
    stderr: stderr.output,
    env: options.env ?? {},
    onInterrupt(given) {
      listener = given;
      return () => {
        listener = () => {};
      };
    },
    out: stdout.text,
    err: stderr.text,
    interrupt: () => listener(),
  };
}

async function* once(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof content === "string" ? Buffer.from(content) : content;
}

function remember(options: { isTTY?: boolean; columns?: number }): { readonly output: Output; text(): string } {
  let text = "";
  const write = (more: string, done?: () => void): void => {
    text += more;
    if (done !== undefined) setImmediate(done);
  };
  return { output: { isTTY: options.isTTY ?? false, ...(options.columns === undefined ? {} : { columns: options.columns }), write }, text: () => text };
}
