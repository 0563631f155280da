import { basename, dirname, join, resolve } from "node:path";
import { dottedKey } from "../../config/dotted-key.ts";
import { type FileLayer, fileLayer } from "../../config/file-layer.ts";
import { type HashedFile, identityHashes } from "../../config/folder-trust.ts";
import { projectFileName } from "../../config/load-config.ts";
import { redactValue } from "../../config/redact-value.ts";
import { shownPath } from "../../config/shown-path.ts";
import { tomlValue } from "../../config/toml-value.ts";
import { changeTrust, readTrusted, trustedPath } from "../../config/trust.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { confirm } from "../confirm.ts";

/** The options of `config trust`. */
export interface TrustOptions {
  readonly yes?: true;
  readonly revoke?: true;
}

/**
 * Prints what a project file sets, and stores that the user trusts its current content, and that of the files about the
 * agent's identity beside it.
 */
export async function trustCommand(argument: string | undefined, options: TrustOptions, io: Io): Promise<number> {
  const home = resolveHome(io.env);
  const file = argument === undefined ? join(io.cwd, projectFileName) : resolve(io.cwd, argument);
  const name = shownPath(file, io.cwd);
  const path = await trustedPath(file);
  const trusted = await readTrusted(home);
  const identity = basename(file) === projectFileName ? await identityHashes(dirname(file)) : [];
  if (options.revoke) {
    if (!trusted.has(path)) return refuse(io, `${name} is not trusted`);
    const revoked = [path, ...identity.map((each) => each.path)].map((each) => ({ path: each, hash: undefined }));
    return saveTrust(revoked, `${name} is no longer trusted`, io);
  }
  const layer = await fileLayer({ file, cwd: io.cwd, env: io.env, isProject: true, isTrusted: () => true });
  if (layer.problems.length > 0) return refuse(io, ...layer.problems.map(plainText));
  if (layer.hash === undefined) return refuse(io, `there is no ${name}`);
  if (trusted.get(path) === layer.hash && identity.every((each) => trusted.get(each.path) === each.hash)) {
    await writeMessage(io, `${name} is already trusted`);
    return exitCode.done;
  }
  await write(io.stdout, `${name} sets:\n${describeSettings(layer, io)}${describeIdentity(identity)}`);
  if (!options.yes && io.stdin.isTTY !== true)
    return refuse(io, `${name} is not trusted: there is no terminal to ask on; use --yes to trust it`);
  if (!options.yes && !(await confirm("Trust its current content?", io))) return refuse(io, `${name} is not trusted`);
  const sentence = `${name} is trusted until it changes; to revoke: sheepdog config trust --revoke`;
  return saveTrust([{ path, hash: layer.hash }, ...identity], sentence, io);
}

function describeIdentity(files: readonly HashedFile[]): string {
  if (files.length === 0) return "";
  const names = files.map(({ name }) => name).join(" and ");
  return `Trusted with it, as text that tells the agent who it is: ${names}\n`;
}

function describeSettings({ settings }: FileLayer, { env }: Io): string {
  if (settings.length === 0) return "  nothing\n";
  return settings
    .map(
      ({ path, value }) => `  ${escapeNonAscii(`${dottedKey(path)} = ${tomlValue(redactValue(value, env, path))}`)}\n`,
    )
    .join("");
}

/** Shows letters that look like others, and invisible ones, as TOML escapes. `…` comes from redaction. */
function escapeNonAscii(text: string): string {
  return text.replace(/[^ -~…]/gu, (letter) => `\\U${(letter.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`);
}

interface Trust {
  readonly path: string;
  /** Undefined revokes the trust. */
  readonly hash: string | undefined;
}

async function saveTrust(files: readonly Trust[], sentence: string, io: Io): Promise<number> {
  const home = resolveHome(io.env);
  try {
    for (const { path, hash } of files) await changeTrust(home, path, hash);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(io, `${home.trustFile} cannot be written (${reason})`);
  }
  await writeMessage(io, sentence);
  return exitCode.done;
}

async function refuse(io: Io, ...sentences: readonly string[]): Promise<number> {
  for (const sentence of sentences) await writeMessage(io, sentence);
  return exitCode.usage;
}
