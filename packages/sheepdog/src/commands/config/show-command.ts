import { allKeys, type ConfigKey } from "../../config/config-shape.ts";
import { dottedKey, readDottedKey } from "../../config/dotted-key.ts";
import { loadConfigOrReport } from "../../config/load-config-or-report.ts";
import { valueAt } from "../../config/merged-settings.ts";
import { describeOrigin, type Origin } from "../../config/origin.ts";
import { redactValue } from "../../config/redact-value.ts";
import { tomlValue } from "../../config/toml-value.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { type Style, styleFor } from "../../render/terminal/style.ts";

/** The options of `config show`. */
export interface ShowOptions {
  readonly origin?: true;
  readonly json?: true;
}

/** Prints the whole configuration as TOML, or as JSON. */
export async function showCommand(options: ShowOptions, io: Io): Promise<number> {
  const loaded = await loadConfigOrReport(io);
  if (loaded === undefined) return exitCode.usage;
  const config = redactValue(loaded.config, io.env);
  if (options.json) {
    await write(io.stdout, `${jsonText({ schemaVersion: 1, config, origins: Object.fromEntries(loaded.origins) })}\n`);
    return exitCode.done;
  }
  const rows = [...allKeys.values()].flatMap((key) => rowsOf(key, config, loaded.origins));
  const describe = (key: string) => describeOrigin(loaded.origins.get(key) ?? "default", io.cwd);
  const lines = configLines(rows, styleFor(io.stdout, io.env), options.origin ? describe : undefined);
  await write(io.stdout, `${lines.join("\n")}\n`);
  return exitCode.done;
}

/** A value longer than this does not move the origins of all other values to the right. */
const MAX_VALUE_COLUMNS = 40;

interface Row {
  readonly section: string;
  readonly text: string;
  readonly isSet: boolean;
  readonly key: string;
}

function configLines(
  rows: readonly Row[],
  style: Style,
  originOf: ((key: string) => string) | undefined,
): readonly string[] {
  const width = Math.max(...rows.map(({ text }) => Math.min(text.length, MAX_VALUE_COLUMNS)));
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

/** One row per key. A table of names has a row for each entry, because entries can have different origins. */
function rowsOf({ path, shape }: ConfigKey, config: unknown, origins: ReadonlyMap<string, Origin>): readonly Row[] {
  const fullKey = dottedKey(path);
  const entries = shape.kind === "named" ? [...origins.keys()].filter((key) => key.startsWith(`${fullKey}.`)) : [];
  const section = path.slice(0, -1);
  return (entries.length === 0 ? [fullKey] : entries).map((key) => {
    const keyPath = readDottedKey(key) ?? path;
    const value = valueAt(config, keyPath);
    const name = dottedKey(keyPath.slice(section.length));
    const text = value === undefined ? `# ${name} is not set` : `${name} = ${tomlValue(value)}`;
    return { section: dottedKey(section), text: plainText(text), isSet: value !== undefined, key };
  });
}
