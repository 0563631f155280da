import { existsSync } from "node:fs";
import { DatabaseError, memoryStores, type Stores } from "@sheepdog/agent";
import { resolveLogFolder } from "../compose/log-folder.ts";
import { type HomeForReading, openStores, openStoresForReading } from "../compose/open-stores.ts";
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
  /** The stores are empty because the database cannot be read. The user has been told. */
  readonly isUnreadable?: boolean;
}

interface StoreOptions {
  /** The handler changes what is stored. Else, the stores are only read. */
  readonly isWriting?: boolean;
  /** Creates a missing database. Without this, missing data reads as empty and nothing is written. */
  readonly createDatabase?: boolean;
  /** The handler shows more than the database has, and is called with empty stores when that cannot be read. */
  readonly hasOtherRuns?: boolean;
}

/**
 * Opens the stores for a command handler, and returns its exit code. Exits with 2 for an invalid configuration, and
 * with 1 for a database that cannot be used.
 */
export async function withStores(
  io: Io,
  handler: (context: StoreContext) => Promise<number>,
  { isWriting = false, createDatabase = false, hasOtherRuns = false }: StoreOptions = {},
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
  const context = { config, origins, home, logDir };
  const handle = async ({ stores, leftOut }: Pick<HomeForReading, "stores"> & Partial<HomeForReading>) => {
    try {
      const code = await handler({ ...context, stores });
      const sentence = leftOut?.();
      if (sentence !== undefined) await writeMessage(io, plainText(sentence));
      return code;
    } finally {
      await stores.close();
    }
  };
  try {
    const isMissing = !existsSync(home.database);
    if (isWriting && !(isMissing && !createDatabase)) return await handle({ stores: await openStores(home, logDir) });
    if (isMissing && createDatabase) await (await openStores(home, logDir)).close();
    return await handle(await openStoresForReading(home, logDir));
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await writeMessage(io, plainText(error.message));
    if (hasOtherRuns) await handler({ ...context, stores: memoryStores(), isUnreadable: true });
    return exitCode.failed;
  }
}
