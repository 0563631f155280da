import { open } from "node:fs/promises";
import { resolve } from "node:path";
import type { Io } from "../io.ts";

const MOST_BYTES = 10 * 1024 * 1024;

/** The prompt, or a sentence about why there is none; undefined where nothing was given, which a resumed run can do without. */
export type ReadPrompt = { readonly ok: true; readonly prompt: string | undefined } | { readonly ok: false; readonly problem: string };

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
    ...(file === undefined ? [] : [() => readWhole(resolve(io.cwd, file), file)]),
    ...(readsStdin ? [() => readAll(io.stdin, "stdin")] : []),
  ]) {
    const text = await read();
    if (typeof text !== "string") return { ok: false, problem: text.problem };
    texts.push(text);
  }
  const prompt = texts.filter((text) => text.trim() !== "").join("\n\n");
  if (prompt !== "") return { ok: true, prompt };
  if (canDoWithout && isEmpty && words.length === 0) return { ok: true, prompt: undefined };
  if (file !== undefined || readsStdin) return { ok: false, problem: `the prompt is empty: there is nothing but spaces in ${file ?? "stdin"}` };
  return { ok: false, problem: 'there is no prompt: say what to do, as in sheepdog run "fix the failing test", or pipe it in' };
}

interface Unreadable {
  readonly problem: string;
}

async function readWhole(path: string, name: string): Promise<string | Unreadable> {
  try {
    const file = await open(path);
    try {
      if ((await file.stat()).isDirectory()) return { problem: `--file ${name}: it is a folder` };
      return await readAll(file.createReadStream({ autoClose: false }), `--file ${name}`);
    } finally {
      await file.close();
    }
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return {
      problem: `--file ${name}: ${isMissing ? "there is no such file" : `it cannot be read (${error instanceof Error ? error.message : String(error)})`}`,
    };
  }
}

async function readAll(source: AsyncIterable<Uint8Array | string>, name: string): Promise<string | Unreadable> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    const part = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    bytes += part.length;
    if (bytes > MOST_BYTES) return { problem: `${name}: a prompt may have 10 MB, and this one has more` };
    chunks.push(part);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return { problem: `${name}: it is no text in UTF-8` };
  }
}
