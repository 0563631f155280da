import type { Key } from "../editor/key.ts";
import { createKeyReader } from "../editor/key-reader.ts";

/** Shorter than the time between two keys, longer than a sequence takes to arrive. */
const ESCAPE_MS = 40;

/** Reports keys until the terminal is gone. Returns a function that stops reading. */
export function readTerminal(stdin: NodeJS.ReadStream, onKey: (key: Key) => void, onGone: () => void): () => void {
  const reader = createKeyReader();
  let timer: NodeJS.Timeout | undefined;
  const report = (keys: readonly Key[]) => {
    for (const key of keys) onKey(key);
  };
  const onData = (chunk: string) => {
    clearTimeout(timer);
    report(reader.read(chunk));
    if (reader.isWaiting) timer = setTimeout(() => report(reader.flush()), ESCAPE_MS);
  };
  stdin.setEncoding("utf8");
  stdin.on("data", onData);
  stdin.on("end", onGone);
  stdin.on("close", onGone);
  stdin.on("error", onGone);
  stdin.resume();
  return () => {
    clearTimeout(timer);
    stdin.off("data", onData);
    stdin.off("end", onGone);
    stdin.off("close", onGone);
    stdin.pause();
  };
}
