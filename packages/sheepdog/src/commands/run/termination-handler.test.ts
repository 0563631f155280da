import { expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { handleTermination, type TerminationHandler } from "./termination-handler.ts";

interface Started {
  readonly io: ReturnType<typeof fakeIo>;
  readonly log: readonly string[];
  readonly handler: TerminationHandler;
}

/** A handler whose effects are logged. */
function start(stopAtQuestion: () => boolean = () => false): Started {
  const io = fakeIo();
  const log: string[] = [];
  const handler = handleTermination({
    io,
    stopAtQuestion,
    run: { cancel: () => log.push("cancel") },
    say: (sentence) => log.push(sentence),
    exit: (code) => log.push(`exit ${code}`),
    resume: undefined,
  });
  return { io, log, handler };
}

test("the first Ctrl-C cancels the run, the second ends the process", () => {
  const { io, log, handler } = start();
  io.interrupt();
  expect(log).toEqual(["stopping the run; press Ctrl-C again to exit now", "cancel"]);
  io.interrupt();
  expect(log.at(-1)).toBe("exit 130");
  handler.stop();
});

test("SIGTERM and SIGHUP do the same, with their own exit code", () => {
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    const { io, log, handler } = start();
    io.interrupt(signal);
    io.interrupt("SIGINT");
    expect([handler.signal, log.at(-1)]).toEqual([signal, "exit 143"]);
    handler.stop();
  }
});

test("at a question about the run, Ctrl-C answers it; SIGTERM still cancels the run", () => {
  let isOpen = true;
  const { io, log, handler } = start(() => {
    const wasOpen = isOpen;
    isOpen = false;
    return wasOpen;
  });
  io.interrupt();
  expect([log, handler.signal]).toEqual([[], undefined]);
  isOpen = true;
  io.interrupt("SIGTERM");
  expect(handler.signal).toBe("SIGTERM");
  handler.stop();
});

test("a stopped handler removes its listeners", () => {
  const countBefore = process.listenerCount("uncaughtException");
  const { io, log, handler } = start();
  handler.stop();
  io.interrupt();
  expect([log, process.listenerCount("uncaughtException")]).toEqual([[], countBefore]);
});
