import type { CallPart } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import { classifyBash } from "./classify-bash.ts";
import { type FileScope, readRisk, writeRisk } from "./file-access.ts";
import { locatePath } from "./path-location.ts";
import { beyond, editing, highestRisk, printable, type Risk, reading, unclear } from "./risk.ts";

/** Where calls are made, and which hosts may be asked without asking. */
export interface CallScope {
  readonly workspace: string;
  readonly hosts: ReadonlySet<string>;
}

const shellNames =
  /^(?:bash|sh|shell|zsh|exec|execute|terminal|console|run_?(?:command|shell|bash|terminal|script)\w*|execute_?(?:command|bash|shell)\w*)$/i;
const commandFields = ["command", "cmd", "script"];
const pathFields =
  /^(?:path|paths|file|files|file_?path|filename|dir|directory|folder|cwd|workdir|working_directory|root|target|destination|source|old_path|new_path)$/i;
const urlFields = /^(?:url|urls|uri|href|link|endpoint)$/i;
/** Ways a model may try to switch off what keeps it safe. */
const looseners =
  /dangerous|bypass|unsafe|unrestricted|elevated|privileged|disable.?sandbox|no.?sandbox|skip.?(?:gate|approval|permission|check)/i;
const own: ReadonlyMap<string, Risk> = new Map([
  ["memory_search", reading],
  ["memory_write", { tier: 1, reason: "Writes to the agent's own memory." }],
  ["ask_user", { tier: 0, reason: "Asks a person." }],
  ["spawn", { tier: 2, reason: "Starts a subagent, whose calls pass the gate as well." }],
]);

/** How much harm a call could do, from what it is really given: a shell's command line, else the tool's kind and the paths and addresses in its input. */
export function classifyCall(call: CallPart, tool: Tool, surroundings: CallScope): Risk {
  const { input } = call;
  if (call.tool !== tool.name)
    return unclear(`The call is for ${printable(call.tool)}, the tool is ${printable(tool.name)}.`);
  if (input === undefined) return unclear(call.problem ?? "The arguments are not a JSON object.");
  const loosener = Object.entries(input).find(([name, value]) => isLoosening(name, value));
  if (loosener !== undefined)
    return unclear(`The call asks to be run with less protection (${printable(loosener[0])}).`);
  const hasCommand = commandFields.some((field) => typeof input[field] === "string");
  if (shellNames.test(tool.name) || (hasCommand && (tool.kind === "unknown" || tool.kind === "mutate")))
    return classifyShell(input, surroundings);
  return own.get(tool.name) ?? byKind(tool, input, surroundings);
}

function isLoosening(name: string, value: unknown): boolean {
  if (/^sandbox$/i.test(name)) return value === false || value === "off" || value === "none";
  return looseners.test(name) && value !== false && value !== null && value !== undefined;
}

function classifyShell(input: Readonly<Record<string, unknown>>, { workspace }: CallScope): Risk {
  const commands = commandFields.flatMap((field) => (input[field] === undefined ? [] : [input[field]]));
  const [command] = commands;
  if (typeof command !== "string" || commands.length !== 1) return unclear("The call has no single command line.");
  const odd = ["env", "environment", "shell", "user", "stdin"].find((field) => input[field] !== undefined);
  if (odd !== undefined) return unclear(`The call sets ${printable(odd)} for its command.`);
  const cwd =
    ["cwd", "workdir", "working_directory", "dir", "directory"].flatMap((field) =>
      input[field] === undefined ? [] : [input[field]],
    )[0] ?? ".";
  if (typeof cwd !== "string") return unclear("The folder of the command is no text.");
  if (locatePath(workspace, workspace, cwd) === "outside")
    return beyond(`Runs in ${printable(cwd)}, which is outside the workspace.`);
  return classifyBash(command, { workspace, cwd: cwd.startsWith("/") ? cwd : `${workspace}/${cwd}` });
}

function byKind(tool: Tool, input: Readonly<Record<string, unknown>>, { workspace, hosts }: CallScope): Risk {
  const sight: FileScope = { workspace, folders: [workspace] };
  const paths = textsIn(input, pathFields);
  const urls = textsIn(input, urlFields);
  switch (tool.kind) {
    case "read":
    case "poll":
    case "wait":
    case "think": {
      const globs =
        tool.name === "glob"
          ? textsIn(input, /^pattern$/).map((pattern) => pattern.replace(/[*?[{].*$/s, "") || ".")
          : [];
      const upwards = tool.name === "glob" && textsIn(input, /^pattern$/).some((pattern) => pattern.includes(".."));
      if (upwards) return beyond("Looks for files outside the workspace.");
      return highestRisk([
        ...[...paths, ...globs].map((value) => readRisk(sight, fileArg(value))),
        ...urls.map((url) => asksHost(url, hosts)),
      ]);
    }
    case "mutate":
      if (paths.length === 0)
        return beyond(`${printable(tool.name)} changes something that is no file of the workspace.`);
      return highestRisk(
        [...paths.map((value) => writeRisk(sight, fileArg(value))), ...urls.map((url) => asksHost(url, hosts))],
        editing,
      );
    case "send":
      return beyond(`${printable(tool.name)} sends something to others.`);
    case "unknown":
      return beyond(`What ${printable(tool.name)} does is not known here.`);
    default:
      return tool.kind satisfies never;
  }
}

const fileArg = (value: string) => ({ type: value.startsWith("~") ? "home" : "plain", value }) as const;

/** The texts in fields of such names, also in lists; anything else there counts as a path that is nowhere. */
function textsIn(input: Readonly<Record<string, unknown>>, fields: RegExp): readonly string[] {
  return Object.entries(input)
    .flatMap(([name, value]) => (fields.test(name) ? [value].flat(3) : []))
    .flatMap((value) => (value === undefined || value === null ? [] : [typeof value === "string" ? value : "\0"]));
}

/** Exactly a host that was allowed, nothing that looks like it. */
function asksHost(address: string, hosts: ReadonlySet<string>): Risk {
  const url = URL.canParse(address) && !/[^\x21-\x7e]/.test(address) ? new URL(address) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isPlain && hosts.has(url.host) ? reading : beyond(`Asks ${printable(url?.host ?? address)}, another machine.`);
}
