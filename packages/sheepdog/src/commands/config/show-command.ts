import { dottedKey, readDottedKey } from "../../config/dotted-key.ts";
import { shownPath } from "../../config/file-layer.ts";
import { loadConfigOrReport } from "../../config/load-or-complain.ts";
import { maskValue } from "../../config/mask-value.ts";
import type { Origin } from "../../config/origin.ts";
import { allKeys, type Key } from "../../config/shape.ts";
import { tomlValue } from "../../config/toml-value.ts";
import { valueAt } from "../../config/whole.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { type Style, styleFor } from "../../render/terminal/style.ts";

/** How the configuration is shown. */
export interface ShowOptions {
  readonly origin?: true;
  readonly json?: true;
}

interface Shown {
  readonly config: unknown;
  readonly origins: ReadonlyMap<string, Origin>;
}

/** Prints the whole configuration as TOML, or as JSON. */
export async function showCommand(options: ShowOptions, io: Io): Promise<number> {
  const loaded = await loadConfigOrReport(io);
  if (loaded === undefined) return exitCode.usage;
  const config = maskValue(loaded.config, io.env);
  if (options.json) {
    await write(io.stdout, `${jsonText({ schemaVersion: 1, config, origins: Object.fromEntries(loaded.origins) })}\n`);
    return exitCode.done;
  }
  const originOf = options.origin
    ? (key: string) => originWords(loaded.origins.get(key) ?? "default", io.cwd)
    : undefined;
  await write(
    io.stdout,
    `${configLines({ config, origins: loaded.origins }, styleFor(io.stdout, io.env), originOf).join("\n")}\n`,
  );
  return exitCode.done;
}

/** Where a value comes from, in words. */
export function originWords(origin: Origin, cwd: string): string {
  if (origin === "default") return "default";
  if ("file" in origin) return `${shownPath(origin.file, cwd)}:${origin.line}`;
  return "env" in origin ? origin.env : origin.flag;
}

/** Longer values do not move the origins of all others to the right. */
const widest = 40;

interface Row {
  readonly section: string;
  readonly text: string;
  readonly isSet: boolean;
  readonly key: string;
}

function configLines(
  { config, origins }: Shown,
  style: Style,
  originOf: ((key: string) => string) | undefined,
): readonly string[] {
  const rows = [...allKeys.values()].flatMap((key) => rowsOf(key, config, origins));
  const width = Math.max(...rows.map(({ text }) => Math.min(text.length, widest)));
  const lines: string[] = [];
  let section = "";
  for (const row of rows.toSorted((a, b) => Number(a.section !== "") - Number(b.section !== ""))) {
    if (row.section !== section) lines.push(...(lines.length === 0 ? [] : [""]), style.bold(`[${row.section}]`));
    section = row.section;
    const origin =
      originOf === undefined || !row.isSet
        ? ""
        : `${" ".repeat(Math.max(0, width - row.text.length))}  ${style.dim(`# ${originOf(row.key)}`)}`;
    lines.push(`${row.isSet ? row.text : style.dim(row.text)}${origin}`);
  }
  return lines;
}

/** A row for each key; for a table of names a row for each part that was set, since they may come from different places. */
function rowsOf({ path, shape }: Key, config: unknown, origins: Shown["origins"]): readonly Row[] {
  const whole = dottedKey(path);
  const parts = shape.kind === "named" ? [...origins.keys()].filter((key) => key.startsWith(`${whole}.`)) : [];
  const section = path.slice(0, -1);
  return (parts.length === 0 ? [whole] : parts).map((key) => {
    const full = readDottedKey(key) ?? path;
    const value = valueAt(config, full);
    const name = dottedKey(full.slice(section.length));
    const text = value === undefined ? `# ${name} is not set` : `${name} = ${tomlValue(value)}`;
    return { section: dottedKey(section), text: plainText(text), isSet: value !== undefined, key };
  });
}
