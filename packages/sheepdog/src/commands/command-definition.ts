import type { Command } from "commander";
import type { Io } from "../io.ts";

/** What a command needs from the program. */
interface CommandContext {
  readonly io: Io;
  /** Sets the exit code of the process. */
  setExitCode(code: number): void;
}

/**
 * Adds a command to the program: its name, arguments and options. The definition loads the handler only when the
 * command runs, so that other commands start fast.
 */
export type CommandDefinition = (program: Command, context: CommandContext) => void;

/** Collects the values of an option that may be repeated. */
export function append(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** Ends with a usage error if the first argument of a command with subcommands is none of them. */
export function refuseUnknownSubcommand(command: Command): void {
  const [argument] = command.args;
  if (argument === undefined) return;
  const names = command.commands.map((subcommand) => subcommand.name());
  command.error(`error: unknown command '${argument}'; ${command.name()} has ${names.join(", ")}`);
}
