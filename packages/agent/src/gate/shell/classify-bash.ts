import { resolve } from "node:path";
import { type AndOr, type CommandNode, type Pipeline, type PipelineNode, parse, type Statement } from "unbash";
import type { OnCommand } from "../command/simple-command.ts";
import { createLineChanges } from "../files/line-changes.ts";
import { physicalPath } from "../files/path-location.ts";
import { highestRisk, printable, type Risk, unclear } from "../risk/risk.ts";
import { assessLoop } from "./assess-loop.ts";
import { hasControls } from "./expansions.ts";
import { printedNames } from "./printed-names.ts";
import { redirectionRisk } from "./redirection.ts";
import { joinStates, maxDepth, maxFolders, nested, type Shell, type ShellState, stateOf } from "./shell.ts";
import { simpleCommandRisk } from "./simple-command-risk.ts";
import { testRisk } from "./test-expression.ts";
import { wordRisk } from "./word-risk.ts";

const maxLength = 100_000;
const maxCommands = 50;

/** Where a command line runs. */
export interface CommandLocation {
  readonly workspace: string;
  /** Real paths of folders that need approval, also for reading. */
  readonly protectedFolders?: readonly string[] | undefined;
  /** The folder it starts in; default: the workspace. */
  readonly cwd?: string;
  /** Called with each simple command. */
  readonly onCommand?: OnCommand | undefined;
}

/** The risk of a command line. It is parsed, and every command in it must be understood; nothing is guessed. */
export function classifyBash(command: string, location: CommandLocation): Risk {
  const { workspace, protectedFolders = [], cwd = workspace, onCommand } = location;
  try {
    const shell: Shell = {
      workspace,
      protectedFolders,
      folders: [physicalPath(resolve(cwd), ".") ?? resolve(cwd)],
      hasMoved: false,
      variables: new Map(),
      mayMove: true,
      depth: 0,
      budget: { commandsLeft: maxCommands, hasOtherOrder: false },
      changes: createLineChanges(),
      assessList: assessStatements,
      assessScript,
      onCommand,
    };
    const risk = assessScript(command, { ...shell });
    const { changes, budget } = shell;
    if (!budget.hasOtherOrder || !(changes.hasAny || changes.hasOddNames)) return risk;
    // what a command changes may matter to one that stands before it: judged again, with all changes known
    return highestRisk([risk, assessScript(command, { ...shell, budget: { ...budget, commandsLeft: maxCommands } })]);
  } catch (error) {
    return unclear(
      `Cannot be parsed: ${printable(error instanceof Error ? error.message : String(error))}.`,
      "syntax error",
    );
  }
}

/** Characters that are invisible or change the order of others. */
const hidden = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0]/u;
/** The zero-width joiner between two emoji, which makes them one: it hides nothing. */
const emojiJoiner = /(\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?)\u200d(?=\p{Extended_Pictographic})/gu;

function assessScript(source: string, shell: Shell): Risk {
  if (source.length > maxLength) return unclear(`Is longer than ${maxLength} characters.`, "too complex");
  if (hasControls(source)) return unclear("Contains invisible control characters.", "hidden characters");
  if (hidden.test(source.replace(emojiJoiner, "$1")))
    return unclear("Contains characters that are invisible or change the order of others.", "hidden characters");
  if (/\S\\\n/.test(source)) return unclear("Joins two lines inside a word.", "unsupported syntax");
  if (shell.depth > maxDepth) return tooDeep();
  const script = parse(source);
  if (script.errors !== undefined && script.errors.length > 0)
    return unclear(
      `Cannot be parsed as a command line: ${printable(script.errors[0]?.message ?? "")}.`,
      "syntax error",
    );
  return assessStatements(script.commands, shell);
}

const tooDeep = (): Risk => unclear("Is nested too deeply to be understood.", "too complex");

function assessStatements(list: readonly Statement[], shell: Shell): Risk {
  if (shell.depth > maxDepth) return tooDeep();
  return highestRisk(
    list.map(({ command, background }) => {
      if (background === true) {
        shell.budget.hasOtherOrder = true;
        return assessNode(command, nested(shell));
      }
      const foldersBefore = shell.folders;
      shell.hasMoved = false;
      const risk = assessNode(command, shell);
      if (!shell.hasMoved) shell.folders = [...new Set([...foldersBefore, ...shell.folders])];
      return shell.folders.length > maxFolders
        ? unclear("Moves between too many folders to be understood.", "too complex")
        : risk;
    }),
  );
}

function assessNode(node: PipelineNode | AndOr, shell: Shell): Risk {
  if (node.type === "AndOr") return assessAndOr(node, shell);
  if (node.type === "Pipeline") return assessPipeline(node, shell);
  return assessCommandNode(node, shell);
}

/** In `cd x && …` the commands after `cd` run in x or not at all. Only the first command runs in any case. */
function assessAndOr({ commands, operators }: AndOr, shell: Shell): Risk {
  const before = stateOf(shell);
  const isChain = operators.every((operator) => operator === "&&");
  let afterFirst = before;
  let hasMoved = false;
  const between: ShellState[] = [];
  const risks = commands.map((next, at) => {
    const here = stateOf(shell);
    const risk = assessNode(next, shell);
    const after = stateOf(shell);
    if (at === 0) {
      hasMoved = shell.hasMoved;
      afterFirst = hasMoved ? after : { ...before, variables: after.variables };
    }
    between.push(after);
    if (!isChain) joinStates(shell, [at === 0 ? afterFirst : here, after]);
    return risk;
  });
  joinStates(shell, [afterFirst, ...between, stateOf(shell)]); // a member that fails ends the chain
  shell.hasMoved = hasMoved;
  return highestRisk(risks);
}

function assessPipeline({ commands }: Pipeline, shell: Shell): Risk {
  const [only] = commands;
  if (only === undefined) return unclear("Has a pipe without a command.", "syntax error"); // `!` alone
  if (commands.length === 1) return assessCommandNode(only, shell);
  shell.budget.hasOtherOrder = true;
  const { input: _, ...withoutInput } = shell;
  let input: Shell["input"];
  return highestRisk(
    commands.map((next) => {
      const part = nested({ ...withoutInput, ...(input === undefined ? {} : { input }) });
      const risk = assessCommandNode(next, part);
      input = printedNames(next, part);
      return risk;
    }),
  );
}

function assessCommandNode(node: CommandNode, shell: Shell): Risk {
  switch (node.type) {
    case "Command":
      return simpleCommandRisk(node, shell);
    case "Redirected": {
      const { input: _, ...withoutInput } = shell;
      const replacesInput = node.redirects.some(({ operator }) => operator.startsWith("<"));
      const inner: Shell = replacesInput ? { ...withoutInput } : shell;
      const risk = assessCommandNode(node.command, inner);
      if (replacesInput) joinStates(shell, [stateOf(inner)]);
      return highestRisk([...node.redirects.map((redirect) => redirectionRisk(redirect, shell)), risk]);
    }
    case "Subshell":
      return assessStatements(node.body.commands, { ...shell, depth: shell.depth + 1 });
    case "BraceGroup":
      return assessBranches([node.body.commands], shell);
    case "If": {
      const branches = [
        node.then,
        ...node.elif.map(({ then }) => then),
        ...(node.else === undefined ? [] : [node.else]),
      ];
      return highestRisk([
        assessBranches([node.clause.commands], shell),
        assessBranches(
          node.elif.map(({ clause }) => clause.commands),
          shell,
          { isComplete: false },
        ),
        assessBranches(
          branches.map(({ commands }) => commands),
          shell,
          { isComplete: node.else !== undefined },
        ),
      ]);
    }
    case "While":
    case "For":
    case "ArithmeticFor":
      return assessLoop(node, shell);
    case "Case": {
      if (node.items.some(({ terminator }) => terminator !== undefined && terminator !== ";;"))
        return unclear("Has a case that continues with the next one.", "unsupported syntax");
      const words = [node.word, ...node.items.flatMap(({ pattern }) => pattern)];
      return highestRisk([
        ...words.map((word) => wordRisk(word, shell)),
        assessBranches(
          node.items.map(({ body }) => body.commands),
          shell,
          { isComplete: false },
        ),
      ]);
    }
    case "TestCommand":
      return testRisk(node.expression, shell);
    case "Function":
      return unclear("Defines a function, which can take the name of any command.", "function definition");
    case "ArithmeticCommand":
      return unclear("Calculates with variables, whose values can contain commands.", "arithmetic");
    case "Select":
    case "Coproc":
      return unclear(`Uses "${node.type.toLowerCase()}", which is not supported here.`, "unsupported syntax");
    default:
      return node satisfies never;
  }
}

/** One of the branches runs, or none when they are not complete. */
function assessBranches(
  branches: readonly (readonly Statement[])[],
  shell: Shell,
  { isComplete = true }: { readonly isComplete?: boolean } = {},
): Risk {
  const before = stateOf(shell);
  const states = isComplete ? [] : [before];
  const risks = branches.map((list) => {
    const inner: Shell = { ...nested(shell), ...before };
    const risk = assessStatements(list, inner);
    states.push({ folders: before.folders, variables: inner.variables });
    return risk;
  });
  joinStates(shell, states);
  return highestRisk(risks);
}
