import { spawn } from "node:child_process";
import { gitEnvironment } from "./git-environment.ts";

/** Reads contents from one process of `git cat-file --batch`, one at a time. */
export interface BlobReader {
  /** The bytes of a blob; undefined when the clone does not have it. Wait for one before asking for the next. */
  read(blob: string): Promise<Buffer | undefined>;
  close(): void;
}

export function openBlobReader(gitDirectory: string): BlobReader {
  const git = spawn("git", [`--git-dir=${gitDirectory}`, "cat-file", "--batch"], {
    env: gitEnvironment,
    stdio: ["pipe", "pipe", "ignore"],
  });
  git.on("error", () => {}); // without git the output ends, which `read` reports
  git.stdin.on("error", () => {});
  const output = byteQueue(git.stdout);
  return {
    read: async (blob) => {
      git.stdin.write(`${blob}\n`);
      // "<id> blob <bytes>", or "<id> missing" and no content
      const [, type, bytes] = (await output.takeLine()).split(" ");
      if (type === "missing") return undefined;
      if (type !== "blob") throw new Error(`Expected a blob with the id ${blob}; git says ${type}.`);
      const content = await output.take(Number(bytes) + 1); // git ends the content with a line break
      return content.subarray(0, -1);
    },
    close: () => {
      git.stdin.end();
      git.kill();
    },
  };
}

/** The bytes of a stream, taken in portions. */
function byteQueue(stream: AsyncIterable<Buffer>) {
  const incoming = stream[Symbol.asyncIterator]();
  let waiting: Buffer = Buffer.alloc(0);

  async function nextChunk(): Promise<Buffer> {
    const { done, value } = await incoming.next();
    if (done === true) throw new Error("Expected an answer of git cat-file; its output ended.");
    return value;
  }

  async function take(bytes: number): Promise<Buffer> {
    const chunks = [waiting];
    for (let length = waiting.length; length < bytes; length += chunks.at(-1)?.length ?? 0)
      chunks.push(await nextChunk());
    const all = Buffer.concat(chunks);
    waiting = all.subarray(bytes);
    return all.subarray(0, bytes);
  }

  async function takeLine(): Promise<string> {
    while (!waiting.includes("\n")) waiting = Buffer.concat([waiting, await nextChunk()]);
    const line = await take(waiting.indexOf("\n") + 1);
    return line.toString("utf8").trimEnd();
  }

  return { take, takeLine };
}
