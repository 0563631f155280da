import { resolve } from "node:path";
import type { Io } from "../../io.ts";
import { readPipedInput } from "./piped-input.ts";
import { readTextFile, readTextStream, type TextProblem } from "./read-text.ts";

/** The prompt, or a sentence about why there is none. It is undefined when it is optional and was not given. */
export type ReadPrompt =
  | { readonly ok: true; readonly prompt: string | undefined; readonly note?: string }
  | { readonly ok: false; readonly problem: string };

const lateInput =
  'nothing arrived on stdin within a second, so the run starts without it; to wait for it: sheepdog run - "…"';

/**
 * Joins the words, the file and stdin. Stdin is read to its end when `-` is among the words, or when nothing else was
 * given and it is not a terminal. Otherwise it is added if it is a file or a pipe with data. A resumed run needs no
 * prompt: there it is optional, and stdin alone is not read.
 */
export async function readPrompt(
  words: readonly string[],
  { file, isOptional }: { readonly file?: string | undefined; readonly isOptional: boolean },
  io: Io,
): Promise<ReadPrompt> {
  const typed = words.filter((word) => word !== "-").join(" ");
  const isEmpty = typed.trim() === "" && file === undefined;
  const needsStdin = words.includes("-") || (words.length === 0 && isEmpty && !isOptional && io.stdin.isTTY !== true);
  const fromFile = file === undefined ? "" : await readTextFile(resolve(io.cwd, file), `--file ${file}`);
  if (typeof fromFile !== "string") return failure(fromFile);
  const fromStdin = needsStdin
    ? await readTextStream(io.stdin, "stdin")
    : isEmpty
      ? ""
      : await readPipedInput(io.stdin);
  if (typeof fromStdin === "object") return failure(fromStdin);
  const prompt = [typed, fromFile, fromStdin ?? ""].filter((text) => text.trim() !== "").join("\n\n");
  if (prompt !== "") return { ok: true, prompt, ...(fromStdin === undefined ? { note: lateInput } : {}) };
  if (isOptional && isEmpty && words.length === 0) return { ok: true, prompt: undefined };
  if (file !== undefined || needsStdin)
    return failure({ problem: `the prompt is empty: ${file ?? "stdin"} has no text` });
  return failure({
    problem: 'there is no prompt: say what to do, as in sheepdog run "fix the failing test", or pipe it in',
  });
}

function failure({ problem }: TextProblem): ReadPrompt {
  return { ok: false, problem };
}
