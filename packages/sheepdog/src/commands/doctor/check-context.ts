import { type LoadedConfig, loadConfig } from "../../config/load-config.ts";
import { type Config, configSchema } from "../../config/schema.ts";
import { type Home, resolveHome } from "../../home.ts";
import type { Io } from "../../io.ts";

/** What the checks look at. */
export interface CheckContext {
  readonly io: Io;
  readonly home: Home;
  /** Whether other machines may be asked. */
  readonly isOnline: boolean;
  readonly fetch: typeof globalThis.fetch;
  now(): number;
  /** Rejects only where loading itself is broken. */
  loaded(): Promise<LoadedConfig>;
  /** The configuration; what it would be without files and variables where these are wrong. */
  config(): Promise<Config>;
}

/** The world as a command sees it. */
export function createCheckContext(
  io: Io,
  special: Partial<Pick<CheckContext, "isOnline" | "fetch" | "now">> = {},
): CheckContext {
  const home = resolveHome(io.env);
  let loading: Promise<LoadedConfig> | undefined;
  const loaded = () => {
    loading ??= loadConfig({ env: io.env, cwd: io.cwd, home });
    return loading;
  };
  return {
    io,
    home,
    isOnline: special.isOnline ?? false,
    fetch: special.fetch ?? globalThis.fetch,
    now: special.now ?? Date.now,
    loaded,
    async config() {
      const found = await loaded().catch(() => undefined); // the check of the configuration tells of it
      return found?.ok ? found.config : configSchema.parse({});
    },
  };
}
