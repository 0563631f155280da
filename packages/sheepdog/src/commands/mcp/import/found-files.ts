import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { readRegularFile } from "@sheepdog/records/files";
import { parse } from "smol-toml";
import type { Io } from "../../../io.ts";
import {
  type Entry,
  type FoundServer,
  isEntry,
  readCodexServer,
  readGeminiServer,
  readJsonServer,
} from "./found-server.ts";

/** The servers of one file, and what could not be read of it. */
export interface FoundFile {
  readonly file: string;
  readonly isRead: boolean;
  readonly servers: readonly FoundServer[];
  /** Sentences about what is left out. */
  readonly skipped: readonly string[];
}

const maxBytes = 10_000_000;

/** Reads the servers of the given files, or of all files that exist in this folder and in the user's home folder. */
export async function findServers(
  files: readonly string[],
  { env, cwd }: Pick<Io, "env" | "cwd">,
): Promise<readonly FoundFile[]> {
  const home = env["HOME"] || homedir();
  const usual = [
    join(cwd, ".mcp.json"),
    join(cwd, ".cursor", "mcp.json"),
    join(cwd, ".gemini", "settings.json"),
    join(cwd, ".codex", "config.toml"),
    join(home, ".claude.json"),
    join(env["CODEX_HOME"] || join(home, ".codex"), "config.toml"),
    join(home, ".gemini", "settings.json"),
    join(home, ".cursor", "mcp.json"),
  ];
  const found: FoundFile[] = [];
  for (const file of files.length > 0 ? files.map((each) => resolve(cwd, each)) : [...new Set(usual)]) {
    const read = await readServers(file, cwd);
    const isMissing = read === undefined;
    if (isMissing && files.length > 0)
      found.push({ file, isRead: false, servers: [], skipped: ["there is no such file"] });
    if (read !== undefined) found.push(read);
  }
  return found;
}

async function readServers(file: string, cwd: string): Promise<FoundFile | undefined> {
  let text: string;
  try {
    if ((await stat(file)).size > maxBytes)
      return { file, isRead: false, servers: [], skipped: ["the file is too large"] };
    text = readRegularFile(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    return {
      file,
      isRead: false,
      servers: [],
      skipped: [`it cannot be read (${error instanceof Error ? error.message : "no reason"})`],
    };
  }
  try {
    // Only Gemini CLI, whose file has this name, expands $NAME.
    const read = basename(file) === "settings.json" ? readGeminiServer : readJsonServer;
    if (!file.endsWith(".toml")) return serversIn(file, jsonTables(JSON.parse(text), cwd), read);
    const root: unknown = parse(text);
    const tables = isEntry(root) && isEntry(root["mcp_servers"]) ? [root["mcp_servers"]] : [];
    return serversIn(file, tables, readCodexServer);
  } catch {
    return {
      file,
      isRead: false,
      servers: [],
      skipped: [`it is not valid ${file.endsWith(".toml") ? "TOML" : "JSON"}`],
    };
  }
}

/** The servers of a user, and in Claude Code's file also those of this folder. */
function jsonTables(root: unknown, cwd: string): readonly Entry[] {
  if (!isEntry(root)) return [];
  const project = isEntry(root["projects"]) ? root["projects"][cwd] : undefined;
  return [root["mcpServers"], isEntry(project) ? project["mcpServers"] : undefined].filter(isEntry);
}

function serversIn(file: string, tables: readonly Entry[], read: typeof readJsonServer): FoundFile {
  const servers: FoundServer[] = [];
  const skipped: string[] = [];
  for (const [name, entry] of tables.flatMap((table) => Object.entries(table))) {
    const result = read(name, entry);
    if ("skipped" in result) skipped.push(`"${name}" is left out: ${result.skipped}`);
    else servers.push(result);
  }
  return { file, isRead: true, servers, skipped };
}
