import { existsSync, readdirSync } from "node:fs";
import { DamagedDatabaseError, DatabaseError, type Stores } from "@sheepdog/agent";
import { resolveLogFolder } from "../compose/log-folder.ts";
import { type HomeForReading, type OpenedHome, openStores, openStoresForReading } from "../compose/open-stores.ts";
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
  /** The handler changes what is stored: a damaged database is rebuilt first. Else, the stores are only read. */
  readonly isWriting?: boolean;
  /** Creates a missing database. Without this, missing data reads as empty and nothing is written. */
  readonly createDatabase?: boolean;
}

/**
 * Opens the stores for a command handler, and returns its exit code. Exits with 2 for an invalid configuration, and
 * with 1 for a database that cannot be opened. When damage appears while they are read, the handler is called again
 * with what can be read.
 */
export async function withStores(
  io: Io,
  handler: (context: StoreContext) => Promise<number>,
  { isWriting = false, createDatabase = false }: StoreOptions = {},
): Promise<number> {
  const home = resolveHome(io.env);
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home });
  if (!loaded.ok) {
    for (const problem of loaded.problems) await writeMessage(io, plainText(problem));
    return exitCode.usage;
  }
  const { config, origins, notes } = loaded;
  const logDir = resolveLogFolder(config, home);
  for (const note of notes) await writeMessage(io, plainText(note));
  const handle = async (opened: OpenedHome & Partial<HomeForReading>) => {
    try {
      for (const note of opened.notes) await writeMessage(io, plainText(note));
      const code = await handler({ config, origins, home, logDir, stores: opened.stores });
      const leftOut = opened.leftOut?.();
      if (leftOut !== undefined) await writeMessage(io, plainText(leftOut));
      return code;
    } finally {
      await opened.stores.close();
    }
  };
  try {
    const isMissing = !existsSync(home.database) && !hasEntries(logDir); // a database is rebuilt from logs
    if (isWriting && !(isMissing && !createDatabase)) return await handle(await openStores(home, logDir));
    if (isMissing && createDatabase) await (await openStores(home, logDir)).stores.close();
    try {
      return await handle(await openStoresForReading(home, logDir));
    } catch (error) {
      if (!(error instanceof DamagedDatabaseError)) throw error;
      return await handle(await openStoresForReading(home, logDir, error.message.replace(/\.$/, "")));
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
