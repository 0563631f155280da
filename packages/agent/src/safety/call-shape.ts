import { isAbsolute, relative, resolve } from "node:path";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import { joinActions } from "../protocol/lesson.ts";
import type { CallPart } from "../protocol/messages.ts";
import { commandShapes } from "./command-shape.ts";

/** What a call does, without its values. */
export interface CallShape {
  /** For lessons: the tool, and the programs with their subcommands and flags, the host, or the file. */
  readonly action: string;
  /** Whether it is narrow: about a file, a host, or a program with a subcommand or flags. Others teach nothing. */
  readonly isSpecific: boolean;
}

const MAX_CHARS = 200;
const commandFields = ["command", "cmd", "script"];
const pathFields = ["path", "file_path", "filename", "file", "dir", "directory"];

/** Paths that can be no sentence. */
const plainPath = /^[~/]*(?:[\w.@+-]{1,60}\/)*[\w.@+-]{1,60}$/;

/** The shape of a call. It holds no argument that could be a secret, and no sentence. */
export function callShape({ tool, input = {} }: Pick<CallPart, "tool" | "input">, workspace: string): CallShape {
  const name = shortName(tool);
  const command = firstText(input, commandFields);
  if (command !== undefined) {
    const shapes = commandShapes(command);
    if (shapes.length === 0) return { action: `${name}: a command`, isSpecific: false };
    const action = joinActions(fitting(shapes.map(({ text }) => `${name}: ${text}`)));
    return { action, isSpecific: shapes.some(({ isNarrow }) => isNarrow) };
  }
  const host = hostOf(firstText(input, ["url", "uri"]));
  if (host !== undefined) return { action: `${name} ${host}`, isSpecific: true };
  const path = firstText(input, pathFields);
  if (path === undefined) return { action: name, isSpecific: false };
  const file = path.startsWith("~") ? path : shownPath(workspace, path);
  const isSpecific = plainPath.test(file) && file.length <= MAX_CHARS && redactSecrets(file) === file;
  return { action: isSpecific ? `${name} ${file}` : `${name}: a file`, isSpecific };
}

function firstText(input: Readonly<Record<string, unknown>>, fields: readonly string[]): string | undefined {
  return fields.map((field) => input[field]).find((value) => typeof value === "string");
}

/** Names of tools are the program's own or those of a server: only plain characters are kept. */
function shortName(tool: string): string {
  return (
    redactSecrets(tool)
      .replaceAll(/[^\w.-]/g, "")
      .slice(0, 60) || "a tool"
  );
}

/** As many parts as fit. */
function fitting(parts: readonly string[]): readonly string[] {
  const chars = (end: number) => parts.slice(0, end).reduce((sum, part) => sum + part.length + 2, 0);
  return parts.filter((_, index) => index === 0 || chars(index + 1) <= MAX_CHARS);
}

function hostOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  return /^[a-z\d.-]{1,80}$/.test(hostname) ? redactSecrets(hostname) : undefined;
}

/** The path from the workspace; of a file outside, the absolute path. */
function shownPath(workspace: string, path: string): string {
  const absolute = resolve(workspace, path);
  const way = relative(workspace, absolute);
  return way === ".." || way.startsWith("../") || isAbsolute(way) ? absolute : way;
}
