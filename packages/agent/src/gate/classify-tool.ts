import type { CallPart } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import { classifyBash } from "./classify-bash.ts";
import { whereabouts } from "./containment.ts";
import { readsFile, type Sight, writesFile } from "./sight.ts";
import { beyond, editing, reading, shown, unclear, type Verdict, worst } from "./verdict.ts";

/** Where calls are made, and which hosts may be asked without asking. */
export interface Surroundings {
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
const own: ReadonlyMap<string, Verdict> = new Map([
  ["memory_search", reading],
  ["memory_write", { tier: 1, reason: "Writes to the agent's own memory." }],
  ["ask_user", { tier: 0, reason: "Asks a person." }],
  ["spawn", { tier: 2, reason: "Starts a subagent, whose calls pass the gate as well." }],
]);

/** How much harm a call could do, from what it is really given: a shell's command line, else the tool's kind and the paths and addresses in its input. */
export function classifyCall(call: CallPart, tool: Tool, surroundings: Surroundings): Verdict {
  const { input } = call;
  if (call.tool !== tool.name) return unclear(`The call is for ${shown(call.tool)}, the tool is ${shown(tool.name)}.`);
  if (input === undefined) return unclear(call.problem ?? "The arguments are not a JSON object.");
  const loosener = Object.entries(input).find(([name, value]) => isLoosening(name, value));
  if (loosener !== undefined) return unclear(`The call asks to be run with less protection (${shown(loosener[0])}).`);
  const hasCommand = commandFields.some((field) => typeof input[field] === "string");
  if (shellNames.test(tool.name) || (hasCommand && (tool.kind === "unknown" || tool.kind === "mutate")))
    return classifyShell(input, surroundings);
  return own.get(tool.name) ?? byKind(tool, input, surroundings);
}

function isLoosening(name: string, value: unknown): boolean {
  if (/^sandbox$/i.test(name)) return value === false || value === "off" || value === "none";
  return looseners.test(name) && value !== false && value !== null && value !== undefined;
}

function classifyShell(input: Readonly<Record<string, unknown>>, { workspace }: Surroundings): Verdict {
  const commands = commandFields.flatMap((field) => (input[field] === undefined ? [] : [input[field]]));
  const [command] = commands;
  if (typeof command !== "string" || commands.length !== 1) return unclear("The call has no single command line.");
  const odd = ["env", "environment", "shell", "user", "stdin"].find((field) => input[field] !== undefined);
  if (odd !== undefined) return unclear(`The call sets ${shown(odd)} for its command.`);
  const cwd =
    ["cwd", "workdir", "working_directory", "dir", "directory"].flatMap((field) =>
      input[field] === undefined ? [] : [input[field]],
    )[0] ?? ".";
  if (typeof cwd !== "string") return unclear("The folder of the command is no text.");
  if (whereabouts(workspace, workspace, cwd) === "outside")
    return beyond(`Runs in ${shown(cwd)}, which is outside the workspace.`);
  return classifyBash(command, { workspace, cwd: cwd.startsWith("/") ? cwd : `${workspace}/${cwd}` });
}

function byKind(tool: Tool, input: Readonly<Record<string, unknown>>, { workspace, hosts }: Surroundings): Verdict {
  const sight: Sight = { workspace, folders: [workspace] };
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
      return worst([
        ...[...paths, ...globs].map((value) => readsFile(sight, fileArg(value))),
        ...urls.map((url) => asksHost(url, hosts)),
      ]);
    }
    case "mutate":
      if (paths.length === 0) return beyond(`${shown(tool.name)} changes something that is no file of the workspace.`);
      return worst(
        [...paths.map((value) => writesFile(sight, fileArg(value))), ...urls.map((url) => asksHost(url, hosts))],
        editing,
      );
    case "send":
      return beyond(`${shown(tool.name)} sends something to others.`);
    case "unknown":
      return beyond(`What ${shown(tool.name)} does is not known here.`);
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
function asksHost(address: string, hosts: ReadonlySet<string>): Verdict {
  const url = URL.canParse(address) && !/[^\x21-\x7e]/.test(address) ? new URL(address) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isPlain && hosts.has(url.host) ? reading : beyond(`Asks ${shown(url?.host ?? address)}, another machine.`);
}
