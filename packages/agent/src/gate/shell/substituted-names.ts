import type { Word } from "unbash";
import type { FoundArg } from "../command/shell-arg.ts";
import { printedNames } from "./printed-names.ts";
import { nested, type Shell } from "./shell.ts";

/** The names that `$(…)` on its own prints, such as `$(find . -name x)`; undefined when it prints something else. */
export function substitutedNames(word: Word, shell: Shell): FoundArg | undefined {
  const [only, ...others] = word.parts ?? [];
  if (only?.type !== "CommandExpansion" || others.length > 0) return undefined;
  const [statement, ...more] = only.script?.commands ?? [];
  if (statement === undefined || more.length > 0) return undefined;
  const { command } = statement;
  if (command.type === "AndOr") return undefined;
  const commands = command.type === "Pipeline" ? command.commands : [command];
  let input: FoundArg | undefined;
  for (const part of commands) {
    const { input: _, ...withoutInput } = nested(shell);
    input = printedNames(part, { ...withoutInput, ...(input === undefined ? {} : { input }) });
  }
  return input?.separator === "line" ? { ...input, separator: "word" } : undefined;
}
