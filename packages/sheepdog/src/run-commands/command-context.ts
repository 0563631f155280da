import type { Stores } from "@sheepdog/agent";
import type { LoadedConfig } from "../config/load-config.ts";
import type { RunPort } from "../control/run-port.ts";
import type { Io } from "../io.ts";
import type { RecordingLibrary } from "../recordings/recording-library.ts";

/** What commands to runs need: the HTTP server and the MCP server have it. */
export interface CommandContext {
  readonly stores: Stores;
  readonly env: Io["env"];
  /** The folder in which the server was started. */
  readonly cwd: string;
  readonly now: () => number;
  /** The configuration as it is in the files now, for a folder. */
  readonly loadConfig: (folder: string) => Promise<LoadedConfig>;
  readonly port: RunPort;
  readonly recordings: Pick<RecordingLibrary, "list">;
}
