import type { Io } from "../io.ts";
import type { Section } from "./config-shape.ts";
import { parseToml, validLines } from "./parse-toml.ts";
import { readConfigFile } from "./read-config-file.ts";
import { type Layer, readLayer, type Source } from "./read-layer.ts";
import { shownPath } from "./shown-path.ts";
import type { Position } from "./toml-positions.ts";
import { contentHash } from "./trust.ts";
import { expandVariables } from "./variables.ts";

/** A configuration file, and how to read it. */
export interface FileOptions {
  readonly file: string;
  readonly cwd: string;
  readonly env: Io["env"];
  readonly isProject: boolean;
  /** Whether the user trusts the content with this hash. Only then are its variables expanded. */
  isTrusted(hash: string): boolean;
}

/** The layer of a file. `hash` is undefined if the file is missing. */
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
      variables: isTrusted ? (text) => expandVariables(text, env) : "untrusted",
    }),
    hash,
    isTrusted,
  };
}

/** How to read the text of a configuration file. */
export interface TextOptions extends Pick<Source, "variables"> {
  readonly file: string;
  /** The name of the file in sentences. */
  readonly name: string;
  readonly isProject: boolean;
  /** Default: the shape of the configuration. */
  readonly shape?: Section;
}

/** Reads the text of a configuration file. Of an invalid document, the lines that are valid are settings. */
export function textLayer(text: string, { file, name, isProject, variables, shape }: TextOptions): Layer {
  const parsed = parseToml(text);
  if (!parsed.ok) {
    const [line = 1] = parsed.at.split(":").map(Number);
    const origin = { file, line, isProject };
    const source: Source = { originOf: () => origin, locationOf: () => name, variables, isText: false };
    return {
      settings: validLines(text).flatMap((table) => readLayer(table, source, shape).settings),
      problems: [`${name}:${parsed.at}: ${parsed.why}`],
    };
  }
  const { keyAt, valueAt } = parsed.positions;
  const nearest = (path: readonly string[], at: typeof keyAt): Position =>
    at(path) ?? keyAt(path) ?? (path.length === 0 ? start : nearest(path.slice(0, -1), at));
  const source: Source = {
    originOf: (path) => ({ file, line: nearest(path, keyAt).line, isProject }),
    locationOf(path, part) {
      const { line, column } = nearest(path, part === "key" ? keyAt : valueAt);
      return `${name}:${line}:${column}`;
    },
    variables,
    isText: false,
  };
  return readLayer(parsed.table, source, shape);
}

const start: Position = { line: 1, column: 1 };
