import { join } from "node:path";
import { dottedKey, readDottedKey } from "../../config/dotted-key.ts";
import { loadConfig, projectFileName } from "../../config/load-config.ts";
import { describeOrigin } from "../../config/origin.ts";
import { tomlHas } from "../../config/parse-toml.ts";
import { readConfigFile } from "../../config/read-config-file.ts";
import { type SetResult, setValue, unsetValue } from "../../config/set-value.ts";
import { shownPath } from "../../config/shown-path.ts";
import { keepTrust } from "../../config/trust.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";

/** The options of `config set` and `config unset`. */
export interface SetOptions {
  /** Change the file of the project, not that of the user. */
  readonly project?: true;
}

interface SetContext extends SetOptions {
  readonly io: Io;
}

/** Sets a key in a configuration file. */
export function setCommand(key: string, value: string, context: SetContext): Promise<number> {
  return changeFile(key, context, (file) => setValue(file, key, value, context.io.env));
}

/** Removes a key from a configuration file. */
export async function unsetCommand(key: string, context: SetContext): Promise<number> {
  const { io } = context;
  const file = configFile(context);
  const path = readDottedKey(key);
  const content = await readConfigFile(file);
  if (path !== undefined && (content.ok ? !tomlHas(content.text, path) : content.isMissing)) {
    await writeMessage(io, plainText(`${dottedKey(path)} is not set in ${shownPath(file, io.cwd)}`));
    return exitCode.failed;
  }
  return changeFile(key, context, () => unsetValue(file, key, io.env));
}

async function changeFile(
  key: string,
  context: SetContext,
  change: (file: string) => Promise<SetResult>,
): Promise<number> {
  const { io, project } = context;
  const home = resolveHome(io.env);
  const file = configFile(context);
  const result = await change(file);
  if (!result.ok) {
    for (const problem of result.problems) await writeMessage(io, problem);
    return exitCode.usage;
  }
  try {
    if (project) await keepTrust(home, file, result.change);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await writeMessage(
      io,
      plainText(`${shownPath(file, io.cwd)} is saved but not trusted: ${home.trustFile} cannot be written (${reason})`),
    );
    return exitCode.failed;
  }
  await writeMessage(io, plainText(await describeResult(key, file, io)));
  return exitCode.done;
}

function configFile({ project, io }: SetContext): string {
  return project ? join(io.cwd, projectFileName) : resolveHome(io.env).configFile;
}

/** Says that the file is saved, and whether a higher layer still overrides the key. */
async function describeResult(key: string, file: string, { env, cwd }: Io): Promise<string> {
  const saved = `${shownPath(file, cwd)} is saved`;
  const loaded = await loadConfig({ env, cwd, home: resolveHome(env) });
  if (!loaded.ok) return `${saved}, but the configuration as a whole has a problem: ${loaded.problems[0]}`;
  const origin = loaded.origins.get(key) ?? "default";
  const isFromFile = typeof origin === "object" && "file" in origin && origin.file === file;
  if (isFromFile || origin === "default") return saved;
  return `${saved}, but in this folder ${key} is still set by ${describeOrigin(origin, cwd)}`;
}
