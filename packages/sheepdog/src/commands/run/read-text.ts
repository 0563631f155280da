import { NotAFile, readNamedFile } from "@sheepdog/records/files";

const MAX_BYTES = 10 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** A sentence about why a text cannot be read. */
export interface TextProblem {
  readonly problem: string;
}

/** The text of a file. `name` begins the sentence about a problem. */
export async function readTextFile(path: string, name: string): Promise<string | TextProblem> {
  return readTextStream(readNamedFile(path, CHUNK_BYTES), name);
}

/** The whole text of a stream. */
export async function readTextStream(
  source: AsyncIterable<Uint8Array | string>,
  name: string,
): Promise<string | TextProblem> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source) {
      const part = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      bytes += part.length;
      if (bytes > MAX_BYTES) return { problem: `${name}: it is larger than 10 MB` };
      chunks.push(part);
    }
  } catch (error) {
    return unreadable(name, error);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return { problem: `${name}: it is not UTF-8 text` };
  }
}

function unreadable(name: string, error: unknown): TextProblem {
  if (error instanceof NotAFile) return { problem: `${name}: ${error.message}` };
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  if (isMissing) return { problem: `${name}: there is no such file` };
  return { problem: `${name}: it cannot be read (${error instanceof Error ? error.message : String(error)})` };
}
