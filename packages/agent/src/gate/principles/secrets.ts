import { isSecretFile, isSecretName, redactSecrets } from "@sheepdog/guardian/secrets";
import { knownArgs, type SimpleCommand } from "../command/simple-command.ts";
import type { PatternName } from "../risk/patterns.ts";
import { printable } from "../risk/risk.ts";
import { findings, type JudgePrinciple, type PrincipleInput, textsIn } from "./principle-input.ts";

const { fine, caution, against } = findings("secrets");

/** Characters of each argument that are searched. */
const MAX_CHARS = 100_000;

/** Do keys and passwords stay where they are? */
export const secrets: JudgePrinciple = (input) => {
  const texts = textsIn(input.call.input).map((text) => text.slice(0, MAX_CHARS));
  const holdsSecret = texts.some((text) => redactSecrets(text) !== text);
  const file = secretFileIn(input);
  const name = secretArgument(input);
  if (name !== undefined) return against(`The argument ${printable(name)} gives a secret to another program.`);
  if (leavesMachine(input)) {
    if (holdsSecret) return against("Something that looks like a key or a password could leave this machine.");
    if (file !== undefined) return against(`${printable(file)} may hold secrets, and could leave this machine.`);
  }
  if (holdsSecret) return caution("The arguments contain something that looks like a key or a password.");
  if (file !== undefined) return caution(`${printable(file)} may hold secrets.`);
  return fine("No secret was found.");
};

/** An argument of an external tool that is named like a secret: a server may ask for what it must not have. */
function secretArgument({ call: { input = {} }, tool }: PrincipleInput): string | undefined {
  if (tool.origin !== "external") return undefined;
  return Object.entries(input).find(
    ([name, value]) => isSecretName(name) && typeof value === "string" && value !== "",
  )?.[0];
}

/** Whether what the call uses could reach another machine. An external tool may send its arguments anywhere. */
function leavesMachine({ call: { input = {} }, tool, commands }: PrincipleInput): boolean {
  if (tool.origin === "external") return true;
  if (commands.length > 0) return commands.some(sends);
  return tool.kind === "send" || Object.keys(input).some((name) => /^(?:urls?|uri|href|link|endpoint)$/i.test(name));
}

/** Patterns of commands that reach other machines, or could. A program that is not known may do anything. */
const sendingPatterns: ReadonlySet<string> = new Set<PatternName>([
  "network access",
  "download and run",
  "unknown program",
  "unknown subcommand",
]);

function sends({ words, risk }: SimpleCommand): boolean {
  const patterns = risk.patterns ?? [];
  if (patterns.some((pattern) => sendingPatterns.has(pattern))) return true;
  if (risk.tier === 3 && patterns.includes("system change")) return true; // `aws` and `docker`, not `dd`
  return risk.tier >= 3 && knownArgs({ words }).some((arg) => /\b[a-z][a-z\d+]{1,9}:\/\//i.test(arg));
}

/** The first file with a name that secrets are usually kept under. */
function secretFileIn({ risk, commands }: PrincipleInput): string | undefined {
  const paths = (risk.paths ?? []).map(({ path }) => path);
  const args = commands.flatMap((command) => knownArgs(command).map((arg) => arg.replace(/^(?:--?[\w-]+=)?@?/, "")));
  return [...paths, ...args.flatMap((arg) => arg.split(/[=:,@]/))].find(isSecretFile);
}
