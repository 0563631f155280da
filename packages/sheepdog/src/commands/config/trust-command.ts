import { join, resolve } from "node:path";
import { dottedKey } from "../../config/dotted-key.ts";
import { type FileLayer, fileLayer, shownPath } from "../../config/file-layer.ts";
import { projectFileName } from "../../config/load-config.ts";
import { maskValue } from "../../config/mask-value.ts";
import { tomlValue } from "../../config/toml-value.ts";
import { changeTrust, readTrusted, trustedPath } from "../../config/trust.ts";
import { exitCode } from "../../exit-code.ts";
import { type Home, resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";

/** What to do with the trust in a file. */
export interface TrustOptions {
  readonly yes?: true;
  readonly revoke?: true;
}

/** Shows what a project's file sets, and remembers that the user trusts it with this very content. */
export async function trustCommand(given: string | undefined, options: TrustOptions, io: Io): Promise<number> {
  const home = resolveHome(io.env);
  const file = given === undefined ? join(io.cwd, projectFileName) : resolve(io.cwd, given);
  const name = shownPath(file, io.cwd);
  if (options.revoke) return revoke(file, name, io, home);
  const layer = await fileLayer({ file, cwd: io.cwd, env: io.env, isProject: true, isTrusted: () => true });
  if (layer.problems.length > 0) return refuse(io, ...layer.problems.map(plainText));
  if (layer.hash === undefined) return refuse(io, `there is no ${name}`);
  const path = await trustedPath(file);
  if ((await readTrusted(home)).get(path) === layer.hash) {
    await writeMessage(io, `${name} is trusted already`);
    return exitCode.done;
  }
  await write(io.stdout, `${name} sets:\n${settingsOf(layer, io)}`);
  if (!options.yes && io.stdin.isTTY !== true)
    return refuse(io, "it is not trusted: there is no terminal to ask on, and --yes was not given");
  if (!options.yes && !(await isYes(io, "Trust it as it is now? [y/N] "))) return refuse(io, "it is not trusted");
  return remember(
    io,
    home,
    path,
    layer.hash,
    `${name} is trusted until it changes; take it back with: sheepdog config trust --revoke`,
  );
}

function settingsOf({ settings }: FileLayer, { env }: Io): string {
  if (settings.length === 0) return "  nothing\n";
  return settings
    .map(({ path, value }) => `  ${inAscii(`${dottedKey(path)} = ${tomlValue(maskValue(value, env))}`)}\n`)
    .join("");
}

/** As TOML may write it as well: letters that look like others, and what nobody sees, are seen for what they are; `…` is our own. */
function inAscii(text: string): string {
  return text.replace(/[^ -~…]/gu, (letter) => `\\U${(letter.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`);
}

async function revoke(file: string, name: string, io: Io, home: Home): Promise<number> {
  const path = await trustedPath(file);
  if (!(await readTrusted(home)).has(path)) return refuse(io, `${name} is not trusted`);
  return remember(io, home, path, undefined, `${name} is no longer trusted`);
}

async function remember(io: Io, home: Home, path: string, hash: string | undefined, sentence: string): Promise<number> {
  try {
    await changeTrust(home, path, hash);
  } catch (error) {
    return refuse(
      io,
      `${home.trustFile} cannot be written (${error instanceof Error ? error.message : String(error)})`,
    );
  }
  await writeMessage(io, sentence);
  return exitCode.done;
}

async function refuse(io: Io, ...sentences: readonly string[]): Promise<number> {
  for (const sentence of sentences) await writeMessage(io, sentence);
  return exitCode.usage;
}

async function isYes(io: Io, question: string): Promise<boolean> {
  await write(io.stderr, question);
  for await (const chunk of io.stdin) return /^\s*y(?:es)?\s*$/i.test(new TextDecoder().decode(chunk));
  return false;
}
