import type { Command } from "commander";
import type { Io } from "./io.ts";

/** Commands that change what agents are held to. */
const names: readonly string[] = ["config set", "config unset", "config trust", "init", "budget set", "budget raise"];

/** Ends with a usage error where an agent has started a command, in its shell, that could loosen its own limits. To take trust back is nobody's harm. */
export function refuseAgent(command: Command, { env }: Pick<Io, "env">): void {
  if (!env["SHEEPDOG_CALL"] || !names.includes(nameOf(command)) || command.opts<{ readonly revoke?: true }>().revoke)
    return;
  command.error("error: an agent started this command, and only a person can change what agents are held to");
}

/** As it is typed after `sheepdog`. */
function nameOf(command: Command): string {
  return command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
}
