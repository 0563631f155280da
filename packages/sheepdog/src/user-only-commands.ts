import type { Command } from "commander";
import type { Io } from "./io.ts";

/** Commands that change the limits of agents or what was learned about their calls, or let others change them. */
const userOnly: readonly string[] = [
  "config set",
  "config unset",
  "config trust",
  "init",
  "budget set",
  "budget raise",
  "safety remove",
  "safety clear",
  "cost settle",
  "serve",
  "mcp add",
  "mcp remove",
  "mcp approve",
  "mcp import",
  "mcp login",
];

/** Set by coding agents for the commands that they run. Only what is attached to them counts for these. */
const agentVariables: readonly string[] = ["CLAUDECODE", "GEMINI_CLI", "CODEX_SANDBOX", "OPENCODE"];

/**
 * Ends a command with a usage error if an agent started it from its shell and it could loosen the agent's own limits.
 * Revoking trust is allowed: it only makes limits stricter.
 */
export function refuseAgent(command: Command, { env }: Pick<Io, "env">): void {
  const { revoke, auditOlderThan, web, observe } = command.opts<{
    readonly observe?: true;
    readonly revoke?: true;
    readonly auditOlderThan?: string;
    readonly web?: true;
  }>();
  const name = commandName(command);
  const loosensAttached = name === "detach" || (name === "attach" && observe === true);
  const isForUser = auditOlderThan !== undefined || web === true || loosensAttached || userOnly.includes(name);
  const isAgent = env["SHEEPDOG_CALL"] || (loosensAttached && agentVariables.some((variable) => env[variable]));
  if (!isAgent || revoke || !isForUser) return;
  command.error(
    "error: an agent started this command, and agents must not change their own limits; run it in your own terminal",
  );
}

/** The name as typed after `sheepdog`. */
function commandName(command: Command): string {
  return command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
}
