import type { CallPart } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import type { OnCommand } from "./command/simple-command.ts";
import { type FileScope, readRisk, writeRisk } from "./files/file-access.ts";
import { locatePath } from "./files/path-location.ts";
import { holdsProtectedRisk } from "./files/protected-folders.ts";
import { beyond, editing, highestRisk, printable, type Risk, reading, unclear } from "./risk/risk.ts";
import { anyWord } from "./risk/word-list.ts";
import { classifyBash } from "./shell/classify-bash.ts";

/** The workspace of a call, and the hosts that reading tools may contact without asking. */
export interface CallScope {
  readonly workspace: string;
  readonly hosts: ReadonlySet<string>;
  /** Real paths of folders that need approval, also for reading. */
  readonly protectedFolders?: readonly string[];
  /** Called with each simple command of a shell's command line. */
  readonly onCommand?: OnCommand;
}

type CallInput = Readonly<Record<string, unknown>>;

const shellNames = new RegExp(
  `^${anyWord(String.raw`
    bash sh shell zsh exec execute terminal console
    run_?(?:command|shell|bash|terminal|script)\w* execute_?(?:command|bash|shell)\w*
  `)}$`,
  "i",
);
const commandFields = ["command", "cmd", "script"];
const folderFields = ["cwd", "workdir", "working_directory", "dir", "directory"];
const processFields = ["env", "environment", "shell", "user", "stdin"];
const pathFields = new RegExp(
  `^${anyWord(`
    path paths files? file_?path filename dir directory folder cwd workdir working_directory root target destination
    source old_path new_path
  `)}$`,
  "i",
);
const urlFields = /^(?:url|urls|uri|href|link|endpoint)$/i;
/** Addresses that may make a server contact another machine. Any other address of a resource is a name on its server. */
const machineSchemes = /^\s*(?:https?|wss?|s?ftps?|file|data):|^[^:]*$/i;
/** Names of arguments with which a model may try to switch off a protection. */
const protectionFields = new RegExp(
  anyWord(`
    dangerous bypass unsafe unrestricted elevated privileged disable.?sandbox no.?sandbox
    skip.?(?:gate|approval|permission|check)
  `),
  "i",
);
const knownRisks: ReadonlyMap<string, Risk> = new Map([
  ["memory_search", reading],
  ["memory_write", { tier: 1, reason: "Writes to the agent's own memory." }],
  ["ask_user", { tier: 0, reason: "Asks the user." }],
  ["spawn", { tier: 2, reason: "Starts a subagent, whose calls pass the gate as well." }],
  ["execute_plan", { tier: 2, reason: "Starts the runs of a plan, whose calls pass the gate as well." }],
]);

/** The risk of a call, by its arguments: a shell's command line, otherwise the tool's kind and the paths and URLs. */
export function classifyCall(call: CallPart, tool: Tool, scope: CallScope): Risk {
  const { input } = call;
  if (call.tool !== tool.name)
    return unclear(`The call is for ${printable(call.tool)}, and the tool is ${printable(tool.name)}.`);
  if (input === undefined) return unclear(call.problem ?? "The arguments are not a JSON object.");
  const loosened = Object.entries(input).find(([name, value]) => loosensProtection(name, value));
  if (loosened !== undefined) return unclear(`The call asks for less protection (${printable(loosened[0])}).`);
  const hasCommand = commandFields.some((field) => typeof input[field] === "string");
  const mayRunCommand = tool.kind === undefined || tool.kind === "unknown" || tool.kind === "mutate";
  if (tool.origin === "external")
    return classifyExternal(tool, input, { ...scope, isShell: hasCommand && mayRunCommand });
  if (shellNames.test(tool.name) || (hasCommand && mayRunCommand)) return classifyShell(input, scope);
  return knownRisks.get(tool.name) ?? classifyByKind(tool, input, scope);
}

/**
 * A tool of another program: its command lines run elsewhere, and what it says about itself is only a claim. Both can
 * make the risk higher than that of something beyond the workspace, never lower.
 */
function classifyExternal(tool: Tool, input: CallInput, scope: CallScope & { readonly isShell: boolean }): Risk {
  const byArguments = scope.isShell ? classifyShell(input, scope) : classifyByKind(tool, input, scope);
  const name = printable(tool.name);
  if (tool.isDestructive === true)
    return highestRisk([
      beyond(`${name} may destroy something, by its own description.`, "destructive tool"),
      byArguments,
    ]);
  if (scope.isShell) return highestRisk([beyond(`${name} runs a command in another program.`), byArguments]);
  if (tool.isKindClaimed !== true) return byArguments;
  const claim = tool.kind === "read" ? "Only its own server says that it reads and changes nothing." : "";
  return highestRisk([beyond(`${name} is a tool of another program. ${claim}`.trim()), byArguments]);
}

function loosensProtection(name: string, value: unknown): boolean {
  if (/^sandbox$/i.test(name)) return value === false || value === "off" || value === "none";
  return protectionFields.test(name) && value !== false && value !== null && value !== undefined;
}

function classifyShell(input: CallInput, { workspace, protectedFolders, onCommand }: CallScope): Risk {
  const commands = valuesOf(input, commandFields);
  const [command] = commands;
  if (typeof command !== "string" || commands.length !== 1)
    return unclear("The call does not have exactly one command line.");
  const processField = processFields.find((field) => input[field] !== undefined);
  if (processField !== undefined) return unclear(`The call sets ${printable(processField)} for its command.`);
  const [cwd = "."] = valuesOf(input, folderFields);
  if (typeof cwd !== "string") return unclear("The folder of the command is not a string.");
  if (locatePath(workspace, workspace, cwd) === "outside")
    return beyond(`Runs in ${printable(cwd)}, which is outside the workspace.`);
  const folder = cwd.startsWith("/") ? cwd : `${workspace}/${cwd}`;
  return classifyBash(command, { workspace, protectedFolders, cwd: folder, onCommand });
}

/** A tool without a kind counts as unknown: its name is no evidence of what it does. */
function classifyByKind(tool: Tool, input: CallInput, { workspace, protectedFolders = [], hosts }: CallScope): Risk {
  const files: FileScope = { workspace, folders: [workspace], protectedFolders };
  const kind = tool.kind ?? "unknown";
  const paths = stringsIn(input, pathFields);
  const urlRisks = stringsIn(input, urlFields)
    .filter((url) => tool.name !== "mcp_read_resource" || machineSchemes.test(url))
    .map((url) => urlRisk(url, hosts));
  switch (kind) {
    case "read":
    case "poll":
    case "wait":
    case "think": {
      const patterns = tool.name === "glob" ? stringsIn(input, /^pattern$/) : [];
      if (patterns.some((pattern) => pattern.includes("..")))
        return beyond("Searches for files outside the workspace.");
      const patternFolders = patterns.map((pattern) => pattern.replace(/[*?[{].*$/s, "") || ".");
      const searched = tool.name === "glob" ? [] : paths.length === 0 && tool.name === "grep" ? ["."] : paths;
      return highestRisk([
        ...[...paths, ...patternFolders].map((path) => readRisk(files, fileArg(path))),
        ...searched.map((path) => holdsProtectedRisk(files, path)),
        ...urlRisks,
      ]);
    }
    case "mutate":
      if (paths.length === 0)
        return beyond(`${printable(tool.name)} changes something that is not a file of the workspace.`);
      return highestRisk([...paths.map((path) => writeRisk(files, fileArg(path))), ...urlRisks], editing);
    case "send":
      return beyond(`${printable(tool.name)} sends something to others.`);
    case "move": // a click may do anything
    case "unknown":
      return beyond(`The effect of ${printable(tool.name)} is not known.`);
    default:
      return kind satisfies never;
  }
}

const fileArg = (value: string) => ({ type: value.startsWith("~") ? "home" : "plain", value }) as const;

function valuesOf(input: CallInput, fields: readonly string[]): readonly unknown[] {
  return fields.flatMap((field) => (input[field] === undefined ? [] : [input[field]]));
}

/** The strings in the matching fields, also in lists. Any other value counts as a path that cannot exist. */
function stringsIn(input: CallInput, fields: RegExp): readonly string[] {
  return Object.entries(input)
    .flatMap(([name, value]) => (fields.test(name) ? [value].flat(3) : []))
    .flatMap((value) => (value === undefined || value === null ? [] : [typeof value === "string" ? value : "\0"]));
}

/** Only exactly the allowed hosts pass, nothing that looks like one. */
function urlRisk(address: string, hosts: ReadonlySet<string>): Risk {
  const url = URL.canParse(address) && !/[^\x21-\x7e]/.test(address) ? new URL(address) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (isPlain && hosts.has(url.host)) return reading;
  return beyond(`Contacts ${printable(url?.host || address)}, another machine.`);
}
