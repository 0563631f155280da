import { expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { type Supervised, supervise } from "./supervise.ts";

interface Watched {
  readonly io: ReturnType<typeof fakeIo>;
  readonly heard: readonly string[];
  readonly supervised: Supervised;
}

function watch(decline: () => boolean = () => false): Watched {
  const io = fakeIo();
  const heard: string[] = [];
  const supervised = supervise({
    io,
    decline,
    run: { cancel: () => heard.push("cancel") },
    say: (sentence) => heard.push(sentence),
    leave: (code) => heard.push(`leave ${code}`),
    resume: undefined,
  });
  return { io, heard, supervised };
}

test("the first Ctrl-C ends the run in good order, the second the process", () => {
  const { io, heard, supervised } = watch();
  io.interrupt();
  expect(heard).toEqual(["ending in good order; Ctrl-C again ends now", "cancel"]);
  io.interrupt();
  expect(heard.at(-1)).toBe("leave 130");
  supervised.stop();
});

test("the system's wish is heard the same way, with its own code", () => {
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    const { io, heard, supervised } = watch();
    io.interrupt(signal);
    io.interrupt("SIGINT");
    expect([supervised.signal, heard.at(-1)]).toEqual([signal, "leave 143"]);
    supervised.stop();
  }
});

test("while a question is open Ctrl-C is a no, and SIGTERM what it always is", () => {
  let isOpen = true;
  const { io, heard, supervised } = watch(() => {
    const was = isOpen;
    isOpen = false;
    return was;
  });
  io.interrupt();
  expect([heard, supervised.signal]).toEqual([[], undefined]);
  isOpen = true;
  io.interrupt("SIGTERM");
  expect(supervised.signal).toBe("SIGTERM");
  supervised.stop();
});

test("nothing is listened to afterwards", () => {
  const before = process.listenerCount("uncaughtException");
  const { io, heard, supervised } = watch();
  supervised.stop();
  io.interrupt();
  expect([heard, process.listenerCount("uncaughtException")]).toEqual([[], before]);
});
