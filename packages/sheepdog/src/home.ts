import { userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder in which Sheepdog stores its own files, and their paths. */
export interface Home {
  readonly dir: string;
  readonly configFile: string;
  readonly trustFile: string;
  readonly database: string;
  readonly logDir: string;
  /** Control messages to runs of other processes. */
  readonly controlDir: string;
  /** Messages to people that wait, and what may be answered. */
  readonly channelsDir: string;
  /** What can be made again: removed without loss. */
  readonly cacheDir: string;
  /** What look backs remember of recordings. */
  readonly lookBackCache: string;
  /** Prompts typed in `chat`. */
  readonly historyFile: string;
  /** The tools of MCP servers that the user has approved. */
  readonly mcpPinsFile: string;
  /** Logins at MCP servers. */
  readonly mcpLoginsFile: string;
  /** State and spool of each session of an attached agent, in a folder for each agent. */
  readonly attachDir: string;
  /** Which agents are attached, and how to restore their settings. */
  readonly attachedFile: string;
  /** The command that settings of attached agents name. */
  readonly hookScript: string;
  /** The socket at which `sheepdog serve` answers hooks. */
  readonly hookSocket: string;
  /** Policy and prices as hooks read them, made from the configuration. */
  readonly hookCache: string;
}

/** Thrown if the user's home folder is unknown. */
export class NoHomeError extends Error {
  constructor(cause: unknown) {
    super("your home folder is unknown; set HOME or SHEEPDOG_HOME", { cause });
  }
}

/** Returns `SHEEPDOG_HOME`, or `.sheepdog` in the user's home folder. Throws `NoHomeError`. */
export function resolveHome(env: Environment): Home {
  const dir = resolve(env["SHEEPDOG_HOME"]?.trim() || join(userFolder(env), ".sheepdog"));
  return {
    dir,
    configFile: join(dir, "config.toml"),
    trustFile: join(dir, "trusted.json"),
    database: join(dir, "sheepdog.db"),
    logDir: join(dir, "logs"),
    controlDir: join(dir, "control"),
    channelsDir: join(dir, "channels"),
    cacheDir: join(dir, "cache"),
    lookBackCache: join(dir, "cache", "look-back.db"),
    historyFile: join(dir, "chat-history.jsonl"),
    mcpPinsFile: join(dir, "mcp-pins.json"),
    mcpLoginsFile: join(dir, "mcp-logins.json"),
    attachDir: join(dir, "attach"),
    attachedFile: join(dir, "attach", "attached.json"),
    hookScript: join(dir, "bin", "sheepdog-hook"),
    hookSocket: join(dir, "attach", "hooks.sock"),
    hookCache: join(dir, "cache", "hooks.json"),
  };
}

/**
 * Takes `HOME` if it is absolute, else asks the system. A relative `HOME` is ignored: a project could then pass off its
 * own file as the user's.
 */
export function userFolder(env: Environment): string {
  const home = env["HOME"]?.trim() ?? "";
  if (isAbsolute(home)) return home;
  try {
    return userInfo().homedir;
  } catch (error) {
    throw new NoHomeError(error);
  }
}
