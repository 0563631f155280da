import type { CommandNode, WordPart } from "unbash";

/** Whether a part of a word is `$(… | wc -l)`, `$(wc -l < x)` or the like, which prints a number and nothing else. */
export function printsNumber(part: WordPart | undefined): boolean {
  if (part?.type !== "CommandExpansion") return false;
  const [statement, ...others] = part.script?.commands ?? [];
  if (statement === undefined || others.length > 0 || statement.background === true) return false;
  const { command } = statement;
  if (command.type !== "Pipeline") return command.type === "Command" && printsCount(command);
  const [last] = command.commands.slice(-1);
  return last !== undefined && command.commands.every(({ type }) => type === "Command") && printsCount(last);
}

function printsCount(command: CommandNode): boolean {
  if (command.type !== "Command" || command.prefix.length > 0) return false;
  const words = [command.name, ...command.args].map((word) => word?.text);
  const isRedirectedOnlyIn = command.redirects.every(({ operator }) => operator === "<");
  return isRedirectedOnlyIn && /^(?:wc -[lwcm]|date \+%s|nproc)$/.test(words.join(" "));
}
