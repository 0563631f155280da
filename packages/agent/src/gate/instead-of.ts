import { knownArgs, programOf, type SimpleCommand } from "./judged-command.ts";
import type { PrincipleInput } from "./principles/principle-input.ts";
import { wordList } from "./word-list.ts";

const interpreters = new Set(wordList("node tsx python python3 ruby perl php deno bun"));
const evaluators = new Set(wordList("eval source . exec"));

/** What the model may do in place of a call that was not allowed, where that is known. */
export function insteadOf({
  risk,
  commands,
  context,
}: Pick<PrincipleInput, "risk" | "commands" | "context">): string | undefined {
  const paths = risk.paths ?? [];
  const at = (location: string, access?: string) =>
    paths.some((use) => use.location === location && (access === undefined || use.access === access));
  if (at("sheepdog", "write")) return "Leave the settings of Sheepdog to the user.";
  if (at("git", "write")) return "Use git commands that change the repository in the usual way.";
  if (at("outside", "write")) return `Write inside the workspace, ${context.workspace}, instead.`;
  if (at("outside")) return `Use files inside the workspace, ${context.workspace}, instead.`;
  const risky = commands.filter((command) => command.risk.tier >= 3);
  if (risky.some(hasInlineCode)) return "Write the code to a file in the workspace and run that file instead.";
  if (risky.some((command) => evaluators.has(programOf(command)))) return "Write the commands out in full instead.";
  if (risk.tier >= 4 && commands.some(hasUnknownArgument)) return "Write the names and values out in full instead.";
  return undefined;
}

function hasInlineCode(command: SimpleCommand): boolean {
  return (
    interpreters.has(programOf(command)) && knownArgs(command).some((arg) => /^(?:-[ecp]|--eval|--print)/.test(arg))
  );
}

function hasUnknownArgument({ words }: SimpleCommand): boolean {
  return words.some((word) => word.type === "dynamic");
}
