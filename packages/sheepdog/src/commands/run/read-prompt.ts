import { resolve } from "node:path";
import type { Io } from "../../io.ts";
import { readText, readTextFile } from "./read-text.ts";

/** The prompt, or a sentence about why there is none; undefined where nothing was given, which a resumed run can do without. */
export type ReadPrompt =
  | { readonly ok: true; readonly prompt: string | undefined }
  | { readonly ok: false; readonly problem: string };

/** The words, then the file, then stdin: that where `-` asks for it, or where nothing else was given and it is no terminal. */
export async function readPrompt(
  words: readonly string[],
  { file, canDoWithout }: { readonly file?: string | undefined; readonly canDoWithout: boolean },
  io: Io,
): Promise<ReadPrompt> {
  const said = words.filter((word) => word !== "-").join(" ");
  const isEmpty = said.trim() === "" && file === undefined;
  const readsStdin = words.includes("-") || (words.length === 0 && isEmpty && !canDoWithout && io.stdin.isTTY !== true);
  const texts: string[] = [said];
  for (const read of [
    ...(file === undefined ? [] : [() => readTextFile(resolve(io.cwd, file), `--file ${file}`)]),
    ...(readsStdin ? [() => readText(io.stdin, "stdin")] : []),
  ]) {
    const text = await read();
    if (typeof text !== "string") return { ok: false, problem: text.problem };
    texts.push(text);
  }
  const prompt = texts.filter((text) => text.trim() !== "").join("\n\n");
  if (prompt !== "") return { ok: true, prompt };
  if (canDoWithout && isEmpty && words.length === 0) return { ok: true, prompt: undefined };
  if (file !== undefined || readsStdin)
    return { ok: false, problem: `the prompt is empty: there is nothing but spaces in ${file ?? "stdin"}` };
  return {
    ok: false,
    problem: 'there is no prompt: say what to do, as in sheepdog run "fix the failing test", or pipe it in',
  };
}
