import { fstatSync } from "node:fs";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { Io } from "../../io.ts";
import { readTextStream, type TextProblem } from "./read-text.ts";

type Stdin = Io["stdin"];

/** A pipe that has sent nothing after this time may have been left open by another program. */
const FIRST_DATA_MS = 1_000;

/**
 * The text of a file or a pipe on stdin; empty if stdin is a terminal, /dev/null or closed. Undefined if a pipe sends
 * nothing in time: stdin is then closed, because a pending read would keep the process alive.
 */
export async function readPipedInput(
  stdin: Stdin,
  firstDataMs = FIRST_DATA_MS,
): Promise<string | TextProblem | undefined> {
  const source = sourceOf(stdin);
  if (source === "other") return "";
  if (source === "file") return readTextStream(stdin, "stdin");
  let hasData = false;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stdin) {
      hasData = true;
      yield chunk;
    }
  }
  const reading = readTextStream(chunks(), "stdin");
  const isLate = await Promise.race([reading.then(() => false), pause(firstDataMs).then(() => !hasData)]);
  if (!isLate) return reading;
  close(stdin);
  return undefined;
}

function sourceOf({ isTTY, fd }: Stdin): "file" | "pipe" | "other" {
  if (isTTY === true) return "other";
  if (fd === undefined) return "pipe";
  try {
    const stats = fstatSync(fd);
    if (stats.isFile()) return "file";
    return stats.isFIFO() || stats.isSocket() ? "pipe" : "other";
  } catch {
    return "other"; // stdin is closed
  }
}

/** Data that arrived while the process was busy is read before this resolves. */
async function pause(ms: number): Promise<void> {
  await setTimeout(ms, undefined, { ref: false });
  await setImmediate();
}

function close(stdin: Stdin): void {
  if ("destroy" in stdin && typeof stdin.destroy === "function") stdin.destroy();
}
