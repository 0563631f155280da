import { userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where Sheepdog keeps what is its own. */
export interface Home {
  readonly dir: string;
  readonly configFile: string;
  readonly trustFile: string;
  readonly database: string;
  readonly logDir: string;
  /** Words to runs that other processes work off. */
  readonly controlDir: string;
  /** What was typed in `chat`. */
  readonly historyFile: string;
}

/** Thrown where nobody knows which folder is the user's. */
export class NoHomeError extends Error {
  constructor(cause: unknown) {
    super("nobody knows where your folder is: set HOME, or SHEEPDOG_HOME", { cause });
  }
}

/** `SHEEPDOG_HOME`, else `.sheepdog` in the user's folder. Throws `NoHomeError`. */
export function resolveHome(env: Environment): Home {
  const dir = resolve(env["SHEEPDOG_HOME"]?.trim() || join(userFolder(env), ".sheepdog"));
  return {
    dir,
    configFile: join(dir, "config.toml"),
    trustFile: join(dir, "trusted.json"),
    database: join(dir, "sheepdog.db"),
    logDir: join(dir, "logs"),
    controlDir: join(dir, "orders"),
    historyFile: join(dir, "chat-history.jsonl"),
  };
}

/** As `HOME` has it, else as the system does: never from the current folder on, where a project could pass its own file off as the user's. */
function userFolder(env: Environment): string {
  const named = env["HOME"]?.trim() ?? "";
  if (isAbsolute(named)) return named;
  try {
    return userInfo().homedir;
  } catch (error) {
    throw new NoHomeError(error);
  }
}
