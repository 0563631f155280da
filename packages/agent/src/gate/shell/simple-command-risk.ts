import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Assignment, Command, CommandArgument } from "unbash";
import type { FoundArg, ShellArg } from "../command/shell-arg.ts";
import { readRisk } from "../files/file-access.ts";
import { locatePath, physicalPath } from "../files/path-location.ts";
import { searchRisk } from "../files/protected-folders.ts";
import { assessCommand } from "../programs/assess-command.ts";
import { isFreeForCode, isFreeVariable, isHarmlessVariable } from "../programs/free-variables.ts";
import { beyond, highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { alternativesOf, assignmentAlternatives, plainOf } from "./expand-word.ts";
import { printsNumber } from "./prints-number.ts";
import { redirectionRisk } from "./redirection.ts";
import { repositoryFolder } from "./repository-folder.ts";
import { maxDepth, nested, type Shell } from "./shell.ts";
import { substitutedNames } from "./substituted-names.ts";
import { assign, valueOfArgs } from "./variables.ts";
import { wordRisk } from "./word-risk.ts";

const maxInvocations = 64;
/** Each is looked up in the file system. */
const maxPatterns = 64;

/** The risk of a command without control structures, by its redirections, assignments, program and arguments. */
export function simpleCommandRisk(node: Command, shell: Shell): Risk {
  shell.budget.commandsLeft -= 1;
  if (shell.budget.commandsLeft < 0) return unclear("Has too many commands to be understood.", "too complex");
  const risks = node.redirects.map((redirect) => redirectionRisk(redirect, shell));
  for (const part of [...(node.name === undefined ? [] : [node.name]), ...node.args]) risks.push(wordRisk(part, shell));
  const assignments = node.prefix.flatMap((part) => (part.type === "Assignment" ? [part] : []));
  for (const part of assignments) risks.push(assignmentRisk(part, shell));
  if (node.name === undefined && assignments.length + node.redirects.length === 0)
    return unclear("Has a command without a word.", "syntax error");
  if (node.name === undefined) {
    for (const part of assignments) remember(part, shell);
    risks.push(...assignments.map(({ name }) => variableRisk(name, isFreeVariable(name))));
    return highestRisk(risks);
  }
  const replacesInput = node.redirects.some(({ operator }) => operator.startsWith("<"));
  const program = invocationRisk(node, shell, replacesInput ? undefined : shell.input);
  const isCode = program.tier >= 2;
  for (const assignment of assignments) {
    const { name } = assignment;
    shell.variables = assign(shell.variables, name, undefined);
    const isForRead = name === "IFS" && node.name.text === "read";
    const isForCode =
      isFreeAssignment(assignment) || hasHarmlessOptions(assignment) || namesWorkspaceModules(assignment, shell);
    risks.push(variableRisk(name, isForRead || (isCode ? isForCode : isHarmlessVariable(name))));
  }
  return highestRisk([...risks, program]);
}

/** Every combination of the possible values of variables is judged. */
function invocationRisk(node: Command, shell: Shell, input: FoundArg | undefined): Risk {
  const words = [...(node.name === undefined ? [] : [node.name]), ...node.args];
  let invocations: readonly (readonly ShellArg[])[] = [[]];
  for (const word of words) {
    const alternatives = argumentAlternatives(word, shell);
    if (alternatives === undefined)
      return unclear(`The arguments of ${printable(node.name?.text ?? "")} are not understood.`, "unsupported syntax");
    if (invocations.length * alternatives.length > maxInvocations)
      return unclear("Has too many possible arguments to be understood.", "too complex");
    invocations = invocations.flatMap((args) => alternatives.map((more) => [...args, ...more]));
  }
  const patterns = invocations.flat().filter(({ type }) => type === "glob").length;
  if (patterns > maxPatterns) return unclear("Has too many file patterns to be checked.", "too complex");
  return highestRisk(invocations.map((args) => invoke(args, shell, input)));
}

function argumentAlternatives(word: CommandArgument, shell: Shell): readonly (readonly ShellArg[])[] | undefined {
  if (word.type === "Assignment") return assignmentAlternatives(word, shell.variables);
  const found = repositoryFolder(word, shell) ?? substitutedNames(word, shell);
  return found === undefined ? alternativesOf(word, shell.variables) : [[found]];
}

function invoke(words: readonly ShellArg[], shell: Shell, input: FoundArg | undefined): Risk {
  const { folders } = shell;
  const ownRisk = programRisk(words, shell, input);
  const risk = highestRisk([ownRisk, searchRisk({ words, folders, risk: ownRisk }, shell)]);
  return shell.onCommand?.({ words, folders, risk }) ?? risk;
}

function programRisk([program, ...args]: readonly ShellArg[], shell: Shell, input: FoundArg | undefined): Risk {
  if (program?.type !== "plain")
    return unclear(
      `Which program ${printable(program?.value ?? "")} stands for is known only when it runs.`,
      "dynamic program",
    );
  if (program.value === "cd") return cd(args, shell);
  if (program.value === "unset")
    for (const { value } of args) shell.variables = assign(shell.variables, value, undefined);
  if (program.value === "export" || program.value === "read") rememberNames(program.value, args, shell, input);
  return assessCommand({
    name: program.value,
    args,
    scope: shell,
    ...(input === undefined ? {} : { input }),
    assessInner: (inner) =>
      shell.depth > maxDepth
        ? unclear("Is nested too deeply to be understood.", "too complex")
        : invoke(inner, nested(shell), input),
    assessScript: (script) => shell.assessScript(script, { ...nested(shell), mayMove: true, variables: new Map() }),
  });
}

function cd(args: readonly ShellArg[], shell: Shell): Risk {
  const [target] = args;
  if (!shell.mayMove) return unclear("Changes the folder where the commands after it are not known.", "dynamic path");
  if (target === undefined || target.type === "home")
    return beyond("Goes to a folder outside the workspace.", "path outside the workspace");
  if (args.length !== 1 || target.type !== "plain" || target.value.startsWith("-") || shell.changes.hasAny)
    return unclear("Where cd goes is known only when it runs.", "dynamic path");
  const isOut = shell.folders.some((folder) => locatePath(shell.workspace, folder, target.value) === "outside");
  if (isOut) {
    shell.folders = shell.folders.map((folder) => resolve(folder, target.value)); // for the commands after it
    return beyond(`Goes to ${printable(target.value)}, which is outside the workspace.`, "path outside the workspace");
  }
  const folders = shell.folders.map((folder) => resolve(folder, target.value));
  const hasLinks = shell.folders.some((folder, at) => physicalPath(folder, target.value) !== folders[at]);
  if (hasLinks)
    return unclear(`${printable(target.value)} is a link: where ".." leads from there is not clear.`, "dynamic path");
  shell.folders = [...new Set(folders)];
  shell.hasMoved = folders.every((folder) => isFolder(folder) && !shell.changes.isRemoved(folder));
  shell.variables = assign(assign(shell.variables, "PWD", undefined), "OLDPWD", undefined);
  return reading;
}

/** Moving to a folder that is there does not fail. */
function isFolder(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false; // it is missing, or must not be entered
  }
}

/** A value that is not known is no command of the line; it is judged where it comes from. */
function isFreeAssignment({ name, value }: Assignment): boolean {
  if (value.type === "ArrayValue") return false;
  const text = plainOf(value);
  return text === undefined ? isHarmlessVariable(name) : isFreeForCode(name, text);
}

const harmlessOptions: ReadonlyMap<string, RegExp> = new Map([
  ["NODE_OPTIONS", /^--(?:max-old-space-size=\d+|enable-source-maps|no-warnings|experimental-vm-modules)$/],
  ["RUSTFLAGS", /^-[DWA][\w:-]*$|^[a-z][\w:-]*$/],
]);

/** Options for the code of the project that neither load nor start anything. */
function hasHarmlessOptions({ name, value }: Assignment): boolean {
  const option = harmlessOptions.get(name);
  const words = value.type === "ArrayValue" ? undefined : plainOf(value)?.split(" ");
  return option !== undefined && words?.every((word) => option.test(word)) === true;
}

/** `PYTHONPATH=src`: modules of the workspace are the project's own code. */
function namesWorkspaceModules({ name, value }: Assignment, shell: Shell): boolean {
  if (name !== "PYTHONPATH" || value.type === "ArrayValue") return false;
  const folders = (plainOf(value) ?? value.text.replace(/^"?\$\{?PWD\}?"?(?=\/|:|$)/, ".")).split(":");
  return folders.every(
    (folder) => /^[\w./@-]+$/.test(folder) && readRisk(shell, { type: "plain", value: folder }).tier === reading.tier,
  );
}

function variableRisk(name: string, isFree: boolean): Risk {
  return isFree
    ? reading
    : unclear(
        `Sets the variable ${printable(name)}, which can change which programs run and how.`,
        "environment injection",
      );
}

function assignmentRisk({ name, value, index, append }: Assignment, shell: Shell): Risk {
  if (index !== undefined || append === true || value.type === "ArrayValue")
    return unclear(`Sets ${printable(name)} in a way that is not understood.`, "unsupported syntax");
  return wordRisk(value, shell);
}

/** The shell does not expand braces and file patterns in an assignment. */
function remember({ name, value }: Assignment, shell: Shell): void {
  const isKept = value.type !== "ArrayValue" && !(value.parts ?? []).some(({ type }) => type === "BraceExpansion");
  const alternatives = isKept ? alternativesOf(value, shell.variables) : undefined;
  const isSingle = alternatives?.every((args) => args.length <= 1) === true;
  const args = isSingle ? alternatives.map(([arg]): ShellArg => arg ?? { type: "plain", value: "" }) : [];
  const [only, ...others] = value.type === "ArrayValue" ? [] : (value.parts ?? []);
  const isCalculated = others.length === 0 && (only?.type === "ArithmeticExpansion" || printsNumber(only));
  shell.variables = assign(shell.variables, name, isCalculated ? { isNumber: true } : valueOfArgs(args));
}

/** `export` and `read` set variables as well: `read` to a line of its input. */
function rememberNames(program: string, args: readonly ShellArg[], shell: Shell, input: FoundArg | undefined): void {
  const texts = args.map(({ value }) => value);
  const line = /^-r \w+$/.test(texts.join(" ")) && input?.separator === "line" ? input : undefined;
  const entry = /^-r -d {2}\w+$/.test(texts.join(" ")) && input?.separator === "none" ? input : undefined;
  if (program === "read") shell.variables = assign(shell.variables, "REPLY", undefined);
  for (const arg of args) {
    const [, name = "", value] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(arg.value) ?? [];
    if (name === "" || (program === "export" && value === undefined)) continue;
    const found = program === "read" ? (line ?? entry) : undefined;
    const text = value === undefined || arg.type !== "plain" ? undefined : valueOfArgs([{ type: "plain", value }]);
    const known = found === undefined ? text : { found: { ...found, value: `$${name}` } };
    shell.variables = assign(shell.variables, name, known);
  }
}
