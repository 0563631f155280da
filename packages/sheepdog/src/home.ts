import { homedir } from "node:os";
import { join, resolve } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where Sheepdog keeps what is its own. */
export interface Home {
  readonly dir: string;
  readonly configFile: string;
  readonly trustFile: string;
  readonly database: string;
  readonly logDir: string;
  /** Words to runs that other processes work off. */
  readonly ordersDir: string;
  /** What was typed in `chat`. */
  readonly historyFile: string;
}

/** `SHEEPDOG_HOME`, else `.sheepdog` in the user's folder. */
export function homeOf(env: Environment): Home {
  const dir = resolve(env["SHEEPDOG_HOME"]?.trim() || join(env["HOME"]?.trim() || homedir(), ".sheepdog"));
  return {
    dir,
    configFile: join(dir, "config.toml"),
    trustFile: join(dir, "trusted.json"),
    database: join(dir, "sheepdog.db"),
    logDir: join(dir, "logs"),
    ordersDir: join(dir, "orders"),
    historyFile: join(dir, "chat-history.jsonl"),
  };
}
