import { dottedKey } from "../../config/dotted-key.ts";
import { redactValue } from "../../config/redact-value.ts";
import { setTable } from "../../config/set-value.ts";
import { shownPath } from "../../config/shown-path.ts";
import { tomlValue } from "../../config/toml-value.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { findServers } from "./import/found-files.ts";
import type { FoundServer } from "./import/found-server.ts";
import { withServers } from "./loaded-servers.ts";

/** The options of `mcp import`. */
export interface ImportOptions {
  readonly write?: true;
  readonly only?: readonly string[];
  readonly json?: true;
}

/** Shows the servers that other programs have configured; with `--write`, adds them to the user's file. */
export async function importCommand(files: readonly string[], options: ImportOptions, io: Io): Promise<number> {
  return withServers(io, [], async ({ config, home }) => {
    const found = await findServers(files, io);
    const unreadable = files.length === 0 ? [] : found.filter(({ isRead }) => !isRead);
    for (const { file, skipped } of unreadable)
      await writeMessage(io, plainText(`${shownPath(file, io.cwd)}: ${skipped.join("; ")}`));
    if (unreadable.length > 0) return exitCode.usage;
    const known = new Set(Object.keys(config.mcp.servers));
    const chosen: (FoundServer & { readonly file: string })[] = [];
    for (const { file, servers, skipped } of found) {
      for (const why of skipped) await writeMessage(io, plainText(`${shownPath(file, io.cwd)}: ${why}`));
      for (const server of servers) {
        if (options.only !== undefined && !options.only.includes(server.name)) continue;
        if (known.has(server.name)) {
          const why = `"${server.name}" is configured already`;
          await writeMessage(io, plainText(`${shownPath(file, io.cwd)}: ${why}, and is left out`));
          continue;
        }
        known.add(server.name);
        chosen.push({ ...server, file });
      }
    }
    if (options.json) {
      const servers = chosen.map(({ name, file, table, notes }) => ({ name, file, notes, ...safe(table, io) }));
      await write(io.stdout, `${jsonText({ schemaVersion: 1, servers })}\n`);
    } else for (const server of chosen) await write(io.stdout, serverText(server, io));
    if (chosen.length === 0) {
      await writeMessage(io, "no MCP servers were found that are not configured already");
      return exitCode.done;
    }
    if (!options.write) {
      await writeMessage(io, "nothing is written; to add these to your configuration: sheepdog mcp import --write");
      return exitCode.done;
    }
    for (const { name, table } of chosen) {
      const added = await setTable(home.configFile, ["mcp", "servers", name], table, io.env);
      if (added.ok) continue;
      for (const problem of added.problems) await writeMessage(io, problem);
      return exitCode.failed;
    }
    const file = shownPath(home.configFile, io.cwd);
    await writeMessage(io, plainText(`${counted(chosen.length, "server")} added to ${file}`));
    await writeMessage(io, "agents get their tools once you have approved them: sheepdog mcp approve <name>");
    return exitCode.done;
  });
}

/** The table as it would be written. Secrets are not shown. */
function serverText({ name, table, notes, file }: FoundServer & { readonly file: string }, io: Io): string {
  const lines = Object.entries(safe(table, io)).map(([key, value]) => `${dottedKey([key])} = ${tomlValue(value)}`);
  return [
    `# from ${plainText(shownPath(file, io.cwd))}`,
    `[${dottedKey(["mcp", "servers", name])}]`,
    ...lines.map(plainText),
    ...notes.map((note) => `# ${plainText(note)}`),
    "\n",
  ].join("\n");
}

function safe(table: FoundServer["table"], { env }: Io): Readonly<Record<string, unknown>> {
  const hidden = Object.entries(table).map(([key, value]) => {
    if ((key !== "env" && key !== "headers") || typeof value !== "object" || value === null) return [key, value];
    const pairs = Object.entries(value).map(([name, text]) => [name, String(text).includes("${") ? text : "…"]);
    return [key, Object.fromEntries(pairs)];
  });
  // An object, as it was given.
  return redactValue(Object.fromEntries(hidden), env) as Readonly<Record<string, unknown>>;
}
