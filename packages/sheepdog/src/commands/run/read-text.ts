import { open } from "node:fs/promises";

const MOST_BYTES = 10 * 1024 * 1024;

/** Why there is no text, in a sentence. */
export interface Unreadable {
  readonly problem: string;
}

/** The text of a file; `name` is what it is called in a sentence. */
export async function readTextFile(path: string, name: string): Promise<string | Unreadable> {
  try {
    const file = await open(path);
    try {
      if ((await file.stat()).isDirectory()) return { problem: `${name}: it is a folder` };
      return await readText(file.createReadStream({ autoClose: false }), name);
    } finally {
      await file.close();
    }
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing ? { problem: `${name}: there is no such file` } : unreadable(name, error);
  }
}

/** All of it, as text. */
export async function readText(source: AsyncIterable<Uint8Array | string>, name: string): Promise<string | Unreadable> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source) {
      const part = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      bytes += part.length;
      if (bytes > MOST_BYTES) return { problem: `${name}: a text may have 10 MB, and this one has more` };
      chunks.push(part);
    }
  } catch (error) {
    return unreadable(name, error);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return { problem: `${name}: it is no text in UTF-8` };
  }
}

function unreadable(name: string, error: unknown): Unreadable {
  return { problem: `${name}: it cannot be read (${error instanceof Error ? error.message : String(error)})` };
}
