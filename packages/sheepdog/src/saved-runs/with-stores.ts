import { existsSync, readdirSync } from "node:fs";
import { DatabaseError, memoryStores, type Stores } from "@sheepdog/agent";
import { resolveLogFolder } from "../compose/log-folder.ts";
import { openStores } from "../compose/open-stores.ts";
import { type LoadedConfig, loadConfig } from "../config/load-config.ts";
import { exitCode } from "../exit-code.ts";
import { type Home, resolveHome } from "../home.ts";
import { type Io, writeMessage } from "../io.ts";
import { plainText } from "../render/terminal/plain-text.ts";

/** What is kept, and how it is configured. */
export interface StoreContext extends Pick<Extract<LoadedConfig, { ok: true }>, "config" | "origins"> {
  readonly home: Home;
  readonly logDir: string;
  readonly stores: Stores;
}

/** How the books are opened. */
interface Opening {
  /** A database is made where there is none. Otherwise what is not there is empty, and nothing is written for it. */
  readonly createDatabase?: boolean;
}

/** Does something with what is kept, and says how the command ended. A bad configuration ends it with 2, a database that cannot be had with 1. */
export async function withStores(
  io: Io,
  act: (books: StoreContext) => Promise<number>,
  { createDatabase = false }: Opening = {},
): Promise<number> {
  const home = resolveHome(io.env);
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home });
  if (!loaded.ok) {
    for (const problem of loaded.problems) await writeMessage(io, plainText(problem));
    return exitCode.usage;
  }
  const { config, origins, notes } = loaded;
  const logDir = resolveLogFolder(config, home);
  try {
    const opened =
      createDatabase || isAnythingKept(home, logDir)
        ? await openStores(home, logDir)
        : { stores: memoryStores(), notes: [] };
    try {
      for (const note of [...notes, ...opened.notes]) await writeMessage(io, plainText(note));
      return await act({ config, origins, home, logDir, stores: opened.stores });
    } finally {
      await opened.stores.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await writeMessage(io, plainText(error.message));
    return exitCode.failed;
  }
}

/** Logs without a database are worth one: it is made from them. */
function isAnythingKept({ database }: Home, logDir: string): boolean {
  return existsSync(database) || hasEntries(logDir);
}

function hasEntries(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false; // there is none, or none that can be read
  }
}
