import { chmod, lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { editFile } from "../config/edit-file.ts";
import type { Home } from "../home.ts";
import { isProcessRunning } from "../is-process-running.ts";
import { newSecret } from "./security/credentials.ts";

const entrySchema = z.object({
  pid: z.number().int(),
  host: z.string(),
  port: z.number().int(),
  token: z.string(),
  startedAt: z.number(),
});

const fileSchema = z.object({ key: z.string().min(20), servers: z.array(entrySchema) });

/** A server that runs now. Its token lets `show --web` open a page. */
export type ServerEntry = z.infer<typeof entrySchema>;

/**
 * The file `serve.json` of a home: the key that signs the sessions of browsers, and the servers that run now. Only its
 * owner can read it.
 */
export interface ServerFile {
  /** Why the file cannot be used; undefined if it can. The other methods must not be called then. */
  problem(): Promise<string | undefined>;
  /** Returns the key, which stays the same over restarts; `isNew` replaces it, which logs all browsers out. */
  readKey(isNew: boolean): Promise<string>;
  add(entry: ServerEntry): Promise<void>;
  remove(pid: number): Promise<void>;
  /** The servers whose process is alive, newest first. */
  running(): Promise<readonly ServerEntry[]>;
}

/** Opens the file of the servers of a home. */
export function openServerFile({ dir }: Home): ServerFile {
  const path = join(dir, "serve.json");
  const change = async (edit: (content: FileContent) => FileContent): Promise<FileContent> => {
    let content = parseContent("");
    const edited = (text: string) => {
      const current = parseContent(text);
      content = edit({ ...current, servers: current.servers.filter(({ pid }) => isProcessRunning(pid)) });
      return `${JSON.stringify(content, null, 2)}\n`;
    };
    try {
      // Before anything is written: an existing file keeps its mode.
      if ((await modeOf(path))?.isShared === true) await chmod(path, 0o600);
      await editFile(path, (bytes) => edited(new TextDecoder().decode(bytes)));
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      edited(await readFile(path, "utf8").catch(() => "")); // the server runs, but other processes do not find it
    }
    return content;
  };
  return {
    async problem() {
      const isOdd = (await modeOf(path))?.isFile === false;
      return isOdd ? `${path} is not a regular file; move it away, and start the server again` : undefined;
    },
    readKey: async (isNew) => (await change((content) => (isNew ? { ...content, key: newSecret() } : content))).key,
    async add(entry) {
      await change(({ key, servers }) => ({ key, servers: [...servers, entry] }));
    },
    async remove(pid) {
      await change(({ key, servers }) => ({ key, servers: servers.filter((entry) => entry.pid !== pid) }));
    },
    async running() {
      if ((await modeOf(path))?.isFile !== true) return []; // no server was started yet
      const text = await readFile(path, "utf8").catch(() => "");
      return parseContent(text)
        .servers.filter(({ pid }) => isProcessRunning(pid))
        .toReversed();
    },
  };
}

/** Whether an error says that the folder is read-only, forbidden or full. */
function isUnwritable(error: unknown): boolean {
  const codes = ["EROFS", "EACCES", "EPERM", "ENOSPC", "EDQUOT"];
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** What is at a path itself, not behind a link; undefined if there is nothing. */
async function modeOf(path: string): Promise<{ readonly isFile: boolean; readonly isShared: boolean } | undefined> {
  try {
    const stats = await lstat(path);
    return { isFile: stats.isFile(), isShared: (stats.mode & 0o077) !== 0 };
  } catch {
    return undefined;
  }
}

type FileContent = z.infer<typeof fileSchema>;

/** A file that is missing or damaged is replaced: browsers then need the address with the token again. */
function parseContent(text: string): FileContent {
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    return { key: newSecret(), servers: [] };
  }
}
