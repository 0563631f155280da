import type { Key } from "../editor/key.ts";
import { createKeyReader } from "../editor/key-reader.ts";

/** Shorter than anybody types, longer than a sequence takes to arrive. */
const ESCAPE_MS = 40;

/** Hands on keys as they are pressed, until the terminal is gone. Gives back how to stop. */
export function readTerminal(stdin: NodeJS.ReadStream, onKey: (key: Key) => void, onGone: () => void): () => void {
  const reader = createKeyReader();
  let timer: NodeJS.Timeout | undefined;
  const hand = (keys: readonly Key[]) => {
    for (const key of keys) onKey(key);
  };
  const onData = (chunk: string) => {
    clearTimeout(timer);
    hand(reader.read(chunk));
    if (reader.isWaiting) timer = setTimeout(() => hand(reader.flush()), ESCAPE_MS);
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
