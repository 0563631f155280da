import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { editFile } from "../config/edit-file.ts";
import type { Home } from "../home.ts";
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
    await editFile(path, (bytes) => {
      const current = parseContent(new TextDecoder().decode(bytes));
      content = edit({ ...current, servers: current.servers.filter(isAlive) });
      return `${JSON.stringify(content, null, 2)}\n`;
    });
    await chmod(path, 0o600);
    return content;
  };
  return {
    readKey: async (isNew) => (await change((content) => (isNew ? { ...content, key: newSecret() } : content))).key,
    async add(entry) {
      await change(({ key, servers }) => ({ key, servers: [...servers, entry] }));
    },
    async remove(pid) {
      await change(({ key, servers }) => ({ key, servers: servers.filter((entry) => entry.pid !== pid) }));
    },
    async running() {
      const text = await readFile(path, "utf8").catch(() => ""); // no server was started yet
      return parseContent(text).servers.filter(isAlive).toReversed();
    },
  };
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

function isAlive({ pid }: ServerEntry): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
