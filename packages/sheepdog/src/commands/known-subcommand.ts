import type { Command } from "commander";

/** Ends with a usage error where a command that also does something by itself was called with a word that is none of its own commands. */
export function checkSubcommand(command: Command): void {
  const [word] = command.args;
  if (word === undefined) return;
  const names = command.commands.map((each) => each.name());
  command.error(`error: unknown command '${word}'; ${command.name()} has ${names.join(", ")}`);
}
