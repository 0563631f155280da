import { type LoadedConfig, loadConfig } from "../config/load-config.ts";
import { type Config, configSchema } from "../config/schema.ts";
import { type Home, resolveHome } from "../home.ts";
import type { Io } from "../io.ts";

/** What the checks examine. */
export interface CheckContext {
  readonly io: Io;
  readonly home: Home;
  /** Whether checks may send requests to other machines. */
  readonly isOnline: boolean;
  readonly fetch: typeof globalThis.fetch;
  now(): number;
  /** Loads the configuration once. Rejects only on an unexpected error. */
  loaded(): Promise<LoadedConfig>;
  /** The configuration; the defaults if it is invalid. */
  config(): Promise<Config>;
}

/** Creates the context of the checks. */
export function createCheckContext(
  io: Io,
  overrides: Partial<Pick<CheckContext, "isOnline" | "fetch" | "now">> = {},
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
    isOnline: overrides.isOnline ?? false,
    fetch: overrides.fetch ?? globalThis.fetch,
    now: overrides.now ?? Date.now,
    loaded,
    async config() {
      const result = await loaded().catch(() => undefined); // the configuration check reports the error
      return result?.ok ? result.config : configSchema.parse({});
    },
  };
}
