import { resolve } from "node:path";
import type { Io } from "../../io.ts";
import { readTextFile, readTextStream } from "./read-text.ts";

/** The prompt, or a sentence about why there is none. It is undefined when it is optional and was not given. */
export type ReadPrompt =
  | { readonly ok: true; readonly prompt: string | undefined }
  | { readonly ok: false; readonly problem: string };

/**
 * Joins the words, the file and stdin. Stdin is read when `-` is among the words, or when nothing else was given and it
 * is not a terminal. A resumed run needs no prompt: there it is optional.
 */
export async function readPrompt(
  words: readonly string[],
  { file, isOptional }: { readonly file?: string | undefined; readonly isOptional: boolean },
  io: Io,
): Promise<ReadPrompt> {
  const typed = words.filter((word) => word !== "-").join(" ");
  const isEmpty = typed.trim() === "" && file === undefined;
  const readsStdin = words.includes("-") || (words.length === 0 && isEmpty && !isOptional && io.stdin.isTTY !== true);
  const texts: string[] = [typed];
  for (const read of [
    ...(file === undefined ? [] : [() => readTextFile(resolve(io.cwd, file), `--file ${file}`)]),
    ...(readsStdin ? [() => readTextStream(io.stdin, "stdin")] : []),
  ]) {
    const text = await read();
    if (typeof text !== "string") return { ok: false, problem: text.problem };
    texts.push(text);
  }
  const prompt = texts.filter((text) => text.trim() !== "").join("\n\n");
  if (prompt !== "") return { ok: true, prompt };
  if (isOptional && isEmpty && words.length === 0) return { ok: true, prompt: undefined };
  if (file !== undefined || readsStdin)
    return { ok: false, problem: `the prompt is empty: ${file ?? "stdin"} has no text` };
  return {
    ok: false,
    problem: 'there is no prompt: say what to do, as in sheepdog run "fix the failing test", or pipe it in',
  };
}
