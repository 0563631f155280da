import { type ReadChannels, readChannels } from "../../channels/channel-settings.ts";
import { loadConfigOrReport } from "../../config/load-config-or-report.ts";
import { type Home, resolveHome } from "../../home.ts";
import type { Io } from "../../io.ts";

/** The channels of the configuration of this folder; undefined, after a message, if it is not valid. */
export async function loadChannels(io: Io): Promise<(ReadChannels & { readonly home: Home }) | undefined> {
  const loaded = await loadConfigOrReport(io);
  return loaded === undefined ? undefined : { ...readChannels(loaded.config, io.env), home: resolveHome(io.env) };
}
