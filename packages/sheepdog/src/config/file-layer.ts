import { isAbsolute, relative } from "node:path";
import type { Io } from "../io.ts";
import { plainText } from "../render/terminal/plain-text.ts";
import { expand } from "./expand.ts";
import { parseToml } from "./parse-toml.ts";
import { readConfigFile } from "./read-config-file.ts";
import { type Layer, readLayer, type Source } from "./read-layer.ts";
import type { Position } from "./toml-positions.ts";
import { contentHash } from "./trust.ts";

/** Which file to read, and how. */
export interface FileOptions {
  readonly file: string;
  readonly cwd: string;
  readonly env: Io["env"];
  readonly isProject: boolean;
  /** Whether the file is to be believed, by the hash of its content; then its variables are filled in. */
  isTrusted(hash: string): boolean;
}

/** A layer that a file makes; where there is no file, there is no hash. */
export interface FileLayer extends Layer {
  readonly hash?: string;
  readonly isTrusted: boolean;
}

/** Reads a configuration file. */
export async function fileLayer(options: FileOptions): Promise<FileLayer> {
  const { file, cwd, env, isProject } = options;
  const name = shownPath(file, cwd);
  const read = await readConfigFile(file);
  if (!read.ok)
    return { settings: [], problems: read.isMissing ? [] : [`${name}:${read.at}: ${read.why}`], isTrusted: true };
  const hash = contentHash(read.bytes);
  const isTrusted = options.isTrusted(hash);
  return {
    ...textLayer(read.text, {
      file,
      name,
      isProject,
      variables: isTrusted ? (text) => expand(text, env) : "untrusted",
    }),
    hash,
    isTrusted,
  };
}

/** What a text is read as. */
export interface TextOptions extends Pick<Source, "variables"> {
  readonly file: string;
  /** The file as sentences name it. */
  readonly name: string;
  readonly isProject: boolean;
}

/** Reads the text of a configuration file. */
export function textLayer(text: string, { file, name, isProject, variables }: TextOptions): Layer {
  const parsed = parseToml(text);
  if (!parsed.ok) return { settings: [], problems: [`${name}:${parsed.at}: ${parsed.why}`] };
  const { keyAt, valueAt } = parsed.positions;
  const near = (path: readonly string[], at: typeof keyAt): Position =>
    at(path) ?? keyAt(path) ?? (path.length === 0 ? first : near(path.slice(0, -1), at));
  return readLayer(parsed.table, {
    originOf: (path) => ({ file, line: near(path, keyAt).line, isProject }),
    placeOf(path, part) {
      const { line, column } = near(path, part === "key" ? keyAt : valueAt);
      return `${name}:${line}:${column}`;
    },
    variables,
    isText: false,
  });
}

const first: Position = { line: 1, column: 1 };

/** A path as it is shown: from here, where the file is below. */
export function shownPath(file: string, cwd: string): string {
  const fromHere = relative(cwd, file);
  return plainText(fromHere === "" || fromHere.startsWith("..") || isAbsolute(fromHere) ? file : fromHere);
}
