import { existsSync, readdirSync } from "node:fs";
import { DatabaseError, memoryStores, type Stores } from "@sheepdog/agent";
import { resolveLogFolder } from "../compose/log-folder.ts";
import { openStores } from "../compose/open-stores.ts";
import { type LoadedConfig, loadConfig } from "../config/load-config.ts";
import { exitCode } from "../exit-code.ts";
import { type Home, resolveHome } from "../home.ts";
import { type Io, writeMessage } from "../io.ts";
import { plainText } from "../render/terminal/plain-text.ts";

/** The opened stores and the configuration. */
export interface StoreContext extends Pick<Extract<LoadedConfig, { ok: true }>, "config" | "origins"> {
  readonly home: Home;
  readonly logDir: string;
  readonly stores: Stores;
}

interface StoreOptions {
  /** Creates a missing database. Without this, missing data reads as empty and nothing is written. */
  readonly createDatabase?: boolean;
}

/**
 * Opens the stores for a command handler, and returns its exit code. Exits with 2 for an invalid configuration, and
 * with 1 for a database that cannot be opened.
 */
export async function withStores(
  io: Io,
  handler: (context: StoreContext) => Promise<number>,
  { createDatabase = false }: StoreOptions = {},
): Promise<number> {
  const home = resolveHome(io.env);
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home });
  if (!loaded.ok) {
    for (const problem of loaded.problems) await writeMessage(io, plainText(problem));
    return exitCode.usage;
  }
  const { config, origins, notes } = loaded;
  const logDir = resolveLogFolder(config, home);
  const isOpened = createDatabase || existsSync(home.database) || hasEntries(logDir); // a database is rebuilt from logs
  try {
    const opened = isOpened ? await openStores(home, logDir) : { stores: memoryStores(), notes: [] };
    try {
      for (const note of [...notes, ...opened.notes]) await writeMessage(io, plainText(note));
      return await handler({ config, origins, home, logDir, stores: opened.stores });
    } finally {
      await opened.stores.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await writeMessage(io, plainText(error.message));
    return exitCode.failed;
  }
}

function hasEntries(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false; // missing or unreadable
  }
}
