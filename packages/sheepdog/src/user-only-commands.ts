import type { Command } from "commander";
import type { Io } from "./io.ts";

/** Commands that change the limits of agents. */
const userOnly: readonly string[] = [
  "config set",
  "config unset",
  "config trust",
  "init",
  "budget set",
  "budget raise",
  "cost settle",
];

/**
 * Ends a command with a usage error if an agent started it from its shell and it could loosen the agent's own limits.
 * Revoking trust is allowed: it only makes limits stricter.
 */
export function refuseAgent(command: Command, { env }: Pick<Io, "env">): void {
  const isRevoking = command.opts<{ readonly revoke?: true }>().revoke;
  if (!env["SHEEPDOG_CALL"] || isRevoking || !userOnly.includes(commandName(command))) return;
  command.error(
    "error: an agent started this command, and agents must not change their own limits; run it in your own terminal",
  );
}

/** The name as typed after `sheepdog`. */
function commandName(command: Command): string {
  return command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
}
