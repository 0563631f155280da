import { knownArgs, programOf, type SimpleCommand } from "./command/simple-command.ts";
import { isDeleting } from "./principles/preservation.ts";
import type { PrincipleInput } from "./principles/principle-input.ts";
import { wordList } from "./risk/word-list.ts";

const interpreters = new Set(wordList("node tsx python python3 ruby perl php deno bun"));
const evaluators = new Set(wordList("eval source . exec sh bash zsh"));

/** What the model may do in place of a call that was not allowed. */
export function insteadOf({ risk, commands, context }: Pick<PrincipleInput, "risk" | "commands" | "context">): string {
  const paths = risk.paths ?? [];
  const isWritten = (location: string) => paths.some((use) => use.location === location && use.access === "write");
  const risky = commands.filter((command) => command.risk.tier >= 3);
  if ((risk.patterns ?? []).includes("history rewrite")) return "Leave the history that others have to the user.";
  if (risky.some(isDeleting)) return "Delete only single files inside the workspace, each by its name.";
  if (paths.some(({ location }) => location === "sheepdog")) return "Leave the files of Sheepdog to the user.";
  if (isWritten("git")) return "Leave the settings of git to the user.";
  if (isWritten("outside")) return `Write inside the workspace, ${context.workspace}.`;
  if (paths.some(({ location }) => location === "outside") || risky.some(namesHome))
    return `Use files inside the workspace, ${context.workspace}.`;
  if (risky.some(hasInlineCode)) return "Write the code to a file in the workspace and run that file.";
  if (risky.some((command) => evaluators.has(programOf(command)))) return "Write the commands out in full.";
  if (risk.tier >= 4 && commands.some(hasUnknownArgument)) return "Write the names and values out in full.";
  return "If the task needs it, leave it to the user and say so in your answer.";
}

function namesHome({ words }: SimpleCommand): boolean {
  return words.some(({ type }) => type === "home");
}

/** Whether an interpreter gets its program from an option or from standard input. */
function hasInlineCode(command: SimpleCommand): boolean {
  const args = knownArgs(command);
  const isInline =
    args.every((arg) => arg.startsWith("-")) || args.some((arg) => /^(?:-[ecp]|--eval|--print)/.test(arg));
  return interpreters.has(programOf(command)) && isInline;
}

function hasUnknownArgument({ words }: SimpleCommand): boolean {
  return words.some(({ type }) => type === "dynamic");
}
