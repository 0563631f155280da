import { join } from "node:path";
import { dottedKey, readDottedKey } from "../../config/dotted-key.ts";
import { shownPath } from "../../config/file-layer.ts";
import { loadConfig, projectFileName } from "../../config/load-config.ts";
import { tomlHas } from "../../config/parse-toml.ts";
import { readConfigFile } from "../../config/read-config-file.ts";
import { type SetResult, setValue, unsetValue } from "../../config/set-value.ts";
import { keepTrust } from "../../config/trust.ts";
import { exitCode } from "../../exit-code.ts";
import { type Home, resolveHome } from "../../home.ts";
import { type Io, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { originWords } from "./show-command.ts";

/** Where to set it. */
export interface SetOptions {
  readonly project?: true;
}

/** Sets a key in a configuration file, and says so. */
export function setCommand(key: string, value: string, options: SetOptions, io: Io): Promise<number> {
  return changeFile(key, options, io, (file) => setValue(file, key, value, io.env));
}

/** Takes a key out of a configuration file. */
export async function unsetCommand(key: string, options: SetOptions, io: Io): Promise<number> {
  const file = fileOf(options, io, resolveHome(io.env));
  const path = readDottedKey(key);
  const read = await readConfigFile(file);
  if (path !== undefined && (read.ok ? !tomlHas(read.text, path) : read.isMissing)) {
    await writeMessage(io, plainText(`${dottedKey(path)} is not set in ${shownPath(file, io.cwd)}`));
    return exitCode.failed;
  }
  return changeFile(key, options, io, () => unsetValue(file, key, io.env));
}

async function changeFile(
  key: string,
  options: SetOptions,
  io: Io,
  change: (file: string) => Promise<SetResult>,
): Promise<number> {
  const home = resolveHome(io.env);
  const file = fileOf(options, io, home);
  const changed = await change(file);
  if (!changed.ok) {
    for (const problem of changed.problems) await writeMessage(io, problem);
    return exitCode.usage;
  }
  try {
    if (options.project) await keepTrust(home, file, changed.change);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    await writeMessage(
      io,
      plainText(`${shownPath(file, io.cwd)} is written, but not trusted: ${home.trustFile} cannot be written (${why})`),
    );
    return exitCode.failed;
  }
  await writeMessage(io, plainText(await outcome(key, file, io, home)));
  return exitCode.done;
}

function fileOf({ project }: SetOptions, { cwd }: Io, home: Home): string {
  return project ? join(cwd, projectFileName) : home.configFile;
}

/** What holds from now on: another layer may have the last word. */
async function outcome(key: string, file: string, { env, cwd }: Io, home: Home): Promise<string> {
  const written = `${shownPath(file, cwd)} is written`;
  const loaded = await loadConfig({ env, cwd, home });
  if (!loaded.ok) return `${written}, but the configuration as a whole has problems: ${loaded.problems[0]}`;
  const origin = loaded.origins.get(key) ?? "default";
  const isFromThere = typeof origin === "object" && "file" in origin && origin.file === file;
  return isFromThere || origin === "default"
    ? written
    : `${written}; here ${key} is still set by ${originWords(origin, cwd)}`;
}
