import { resolve } from "node:path";
import {
  type AndOr,
  type Assignment,
  type Command,
  type CommandNode,
  type Pipeline,
  type PipelineNode,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type TestExpression,
} from "unbash";
import { assessCommand } from "./commands.ts";
import { expansionsIn, hasControls } from "./expansions.ts";
import { readRisk, writeRisk } from "./file-access.ts";
import { isFreeVariable } from "./free-variables.ts";
import { locatePath, physicalPath } from "./path-location.ts";
import { beyond, highestRisk, printable, type Risk, reading, unclear } from "./risk.ts";
import { argsOf, assignmentArgs, plainOf, type ShellArg } from "./shell-arg.ts";
import type { OnCommand } from "./simple-command.ts";

const maxLength = 100_000;
const maxCommands = 50;
const maxDepth = 8;
const maxFolders = 8;

/** Where a command line runs. */
export interface CommandLocation {
  readonly workspace: string;
  /** The folder it starts in; default: the workspace. */
  readonly cwd?: string;
  /** Called with each simple command. */
  readonly onCommand?: OnCommand | undefined;
}

/** The risk of a command line. It is parsed, and every command in it must be understood; nothing is guessed. */
export function classifyBash(command: string, { workspace, cwd = workspace, onCommand }: CommandLocation): Risk {
  try {
    const folder = physicalPath(resolve(cwd), ".") ?? resolve(cwd);
    return classifyScript(command, {
      workspace,
      folders: [folder],
      mayMove: true,
      depth: 0,
      budget: { commandsLeft: maxCommands },
      onCommand,
    });
  } catch (error) {
    return unclear(`Cannot be parsed: ${printable(error instanceof Error ? error.message : String(error))}.`);
  }
}

/** The part of the shell's state that changes the risk. */
interface Shell {
  readonly workspace: string;
  /** The possible current folders: a `cd` that fails leaves the shell where it was. */
  folders: readonly string[];
  /** Whether a `cd` here runs exactly once, in this order. */
  readonly mayMove: boolean;
  readonly depth: number;
  readonly budget: { commandsLeft: number };
  readonly onCommand: OnCommand | undefined;
}

const nested = (shell: Shell): Shell => ({ ...shell, mayMove: false, depth: shell.depth + 1 });

/** Characters that are invisible or change the order of others. */
const hidden = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0]/u;
/** The zero-width joiner between two emoji, which makes them one: it hides nothing. */
const emojiJoiner = /(\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?)\u200d(?=\p{Extended_Pictographic})/gu;

function classifyScript(source: string, shell: Shell): Risk {
  if (source.length > maxLength) return unclear(`Is longer than ${maxLength} characters.`);
  if (hasControls(source)) return unclear("Contains invisible control characters.");
  if (hidden.test(source.replace(emojiJoiner, "$1")))
    return unclear("Contains characters that are invisible or change the order of others.");
  if (shell.depth > maxDepth) return unclear("Is nested too deeply to be understood.");
  const script = parse(source);
  if (script.errors !== undefined && script.errors.length > 0)
    return unclear(`Cannot be parsed as a command line: ${printable(script.errors[0]?.message ?? "")}.`);
  return statements(script.commands, shell);
}

function statements(list: readonly Statement[], shell: Shell): Risk {
  if (shell.depth > maxDepth) return unclear("Is nested too deeply to be understood.");
  return highestRisk(
    list.map(({ command, background }) => {
      const foldersBefore = shell.folders;
      const risk = walk(command, background === true ? nested(shell) : shell);
      shell.folders = union(foldersBefore, shell.folders);
      return shell.folders.length > maxFolders ? unclear("Moves between too many folders to be understood.") : risk;
    }),
  );
}

function walk(node: PipelineNode | AndOr, shell: Shell): Risk {
  if (node.type === "AndOr") return andOr(node, shell);
  if (node.type === "Pipeline") return pipeline(node, shell);
  return command(node, shell);
}

/** In `cd x && …` the commands after `cd` run in x or not at all. */
function andOr({ commands, operators }: AndOr, shell: Shell): Risk {
  const foldersBefore = shell.folders;
  const isChain = operators.every((operator) => operator === "&&");
  const risks = commands.map((next) => {
    const here = shell.folders;
    const risk = walk(next, shell);
    if (!isChain) shell.folders = union(here, shell.folders);
    return risk;
  });
  shell.folders = union(foldersBefore, shell.folders);
  return highestRisk(risks);
}

function pipeline({ commands }: Pipeline, shell: Shell): Risk {
  const [only] = commands;
  if (commands.length === 1 && only !== undefined) return command(only, shell);
  return highestRisk(commands.map((next) => command(next, nested(shell))));
}

function command(node: CommandNode, shell: Shell): Risk {
  switch (node.type) {
    case "Command":
      return simpleCommand(node, shell);
    case "Redirected":
      return highestRisk([
        ...node.redirects.map((redirect) => redirection(redirect, shell)),
        command(node.command, shell),
      ]);
    case "Subshell":
      return statements(node.body.commands, { ...shell, depth: shell.depth + 1 });
    case "BraceGroup":
      return statements(node.body.commands, nested(shell));
    case "If": {
      const lists = [
        node.clause,
        node.then,
        ...node.elif.flatMap(({ clause, then }) => [clause, then]),
        ...(node.else === undefined ? [] : [node.else]),
      ];
      return highestRisk(lists.map(({ commands }) => statements(commands, nested(shell))));
    }
    case "While":
      return highestRisk([node.clause, node.body].map(({ commands }) => statements(commands, nested(shell))));
    case "For": {
      const name = plainOf(node.name) ?? "";
      if (!isFreeVariable(name))
        return unclear(`Sets the variable ${printable(name)}, which can change what commands do.`);
      return highestRisk([
        ...(node.wordlist ?? []).map((word) => expanded(word, shell)),
        statements(node.body.commands, nested(shell)),
      ]);
    }
    case "Case": {
      const words = [node.word, ...node.items.flatMap(({ pattern }) => pattern)];
      return highestRisk([
        ...words.map((word) => expanded(word, shell)),
        ...node.items.map(({ body }) => statements(body.commands, nested(shell))),
      ]);
    }
    case "TestCommand":
      return testExpression(node.expression, shell);
    case "Function":
      return unclear("Defines a function, which can take the name of any command.");
    case "ArithmeticFor":
    case "ArithmeticCommand":
      return unclear("Calculates with variables, whose values can contain commands.");
    case "Select":
    case "Coproc":
      return unclear(`Uses "${node.type.toLowerCase()}", which is not supported here.`);
    default:
      return node satisfies never;
  }
}

function simpleCommand(node: Command, shell: Shell): Risk {
  shell.budget.commandsLeft -= 1;
  if (shell.budget.commandsLeft < 0) return unclear(`Has more than ${maxCommands} commands.`);
  const risks = node.redirects.map((redirect) => redirection(redirect, shell));
  for (const part of node.prefix) if (part.type === "Assignment") risks.push(assignment(part, shell));
  for (const part of [...(node.name === undefined ? [] : [node.name]), ...node.args]) risks.push(expanded(part, shell));
  if (node.name !== undefined) {
    const name = plainOf(node.name);
    const args = commandArgs(node);
    if (name === undefined)
      risks.push(unclear(`Which program ${printable(node.name.text)} stands for is known only when it runs.`));
    else if (args === undefined) risks.push(unclear(`The arguments of ${printable(name)} are not understood.`));
    else risks.push(invoke([{ type: "plain", value: name }, ...args], shell));
  }
  return highestRisk(risks);
}

function invoke(words: readonly ShellArg[], shell: Shell): Risk {
  const risk = assessProgram(words, shell);
  return shell.onCommand?.({ words, folders: shell.folders, risk }) ?? risk;
}

function assessProgram([program, ...args]: readonly ShellArg[], shell: Shell): Risk {
  if (program?.type !== "plain") return unclear("Which program it starts is known only when it runs.");
  if (program.value === "cd") return cd(args, shell);
  return assessCommand({
    name: program.value,
    args,
    scope: shell,
    assessInner: (inner) =>
      shell.depth > maxDepth ? unclear("Is nested too deeply to be understood.") : invoke(inner, nested(shell)),
    assessScript: (script) => classifyScript(script, { ...nested(shell), mayMove: true }),
  });
}

function cd(args: readonly ShellArg[], shell: Shell): Risk {
  const [target] = args;
  if (!shell.mayMove) return unclear("Changes the folder where the commands after it are not known.");
  if (target === undefined || target.type === "home") return beyond("Goes to a folder outside the workspace.");
  if (args.length !== 1 || target.type !== "plain" || target.value.startsWith("-"))
    return unclear("Where cd goes is known only when it runs.");
  const isOut = shell.folders.some((folder) => locatePath(shell.workspace, folder, target.value) === "outside");
  if (isOut) return beyond(`Goes to ${printable(target.value)}, which is outside the workspace.`);
  const folders = shell.folders.map((folder) => resolve(folder, target.value));
  const hasLinks = shell.folders.some((folder, at) => physicalPath(folder, target.value) !== folders[at]);
  if (hasLinks) return unclear(`${printable(target.value)} is a link: where ".." leads from there is not clear.`);
  shell.folders = union([], folders);
  return reading;
}

function assignment({ name, value, index, append }: Assignment, shell: Shell): Risk {
  if (!isFreeVariable(name))
    return unclear(`Sets the variable ${printable(name)}, which can change which programs run and how.`);
  if (index !== undefined || append === true || value.type === "ArrayValue")
    return unclear(`Sets ${printable(name)} in a way that is not understood.`);
  return expanded(value, shell);
}

/** `<`, `>` and the other redirections. */
function redirection(redirect: Redirection, shell: Shell): Risk {
  if (redirect.descriptor?.type === "FileDescriptorVariable")
    return unclear("Opens a file under a descriptor that is known only when it runs.");
  if (redirect.type === "HereDoc")
    return redirect.delimiter?.quoted === true ? reading : expanded(redirect.body, shell);
  if (redirect.target === undefined) return unclear("Redirects to nothing.");
  const inside = expanded(redirect.target, shell);
  if (redirect.type === "HereString") return inside;
  const targets = argsOf(redirect.target);
  const [target] = targets ?? [];
  if (targets?.length !== 1 || target === undefined || target.type === "glob")
    return unclear(`Where ${printable(redirect.target.text)} leads is known only when it runs.`);
  switch (redirect.operator) {
    case "<":
      return highestRisk([inside, readRisk(shell, target)]);
    case "<&":
    case ">&":
      return target.type === "plain" && /^(?:\d+|-|\d+-)$/.test(target.value)
        ? inside
        : highestRisk([
            inside,
            redirect.operator === ">&"
              ? writeRisk(shell, target)
              : unclear("Reads from a descriptor that is known only when it runs."),
          ]);
    case "<>":
      return unclear("Opens a file for reading and writing.");
    default:
      return highestRisk([inside, writeRisk(shell, target)]);
  }
}

function testExpression(expression: TestExpression, shell: Shell): Risk {
  switch (expression.type) {
    case "TestUnary":
      return /^-[efdsrwxznLh]$/.test(expression.operator)
        ? expanded(expression.operand, shell)
        : unclear(`The test ${printable(expression.operator)} can evaluate its operands as code.`);
    case "TestBinary":
      return /^(?:=|==|!=|=~|<|>|-nt|-ot|-ef)$/.test(expression.operator)
        ? highestRisk([expanded(expression.left, shell), expanded(expression.right, shell)])
        : unclear(`The test ${printable(expression.operator)} can evaluate its operands as code.`);
    case "TestLogical":
      return highestRisk(expression.operands.map((operand) => testExpression(operand, shell)));
    case "TestNot":
      return testExpression(expression.operand, shell);
    case "TestGroup":
      return testExpression(expression.expression, shell);
    default:
      return expression satisfies never;
  }
}

/** The risk of evaluating a word, which runs the commands inside it. */
function expanded(node: SyntaxNode, shell: Shell): Risk {
  const { scripts, risk } = expansionsIn(node);
  const risks = scripts.map((script) =>
    script.errors !== undefined && script.errors.length > 0
      ? unclear("Runs something that cannot be parsed.")
      : statements(script.commands, nested(shell)),
  );
  return highestRisk([...(risk === undefined ? [] : [risk]), ...risks]);
}

function commandArgs({ args }: Command): readonly ShellArg[] | undefined {
  const lists = args.map((arg) => (arg.type === "Assignment" ? assignmentArgs(arg) : argsOf(arg)));
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

function union(one: readonly string[], other: readonly string[]): readonly string[] {
  return [...new Set([...one, ...other])];
}
