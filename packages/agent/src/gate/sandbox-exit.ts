import type { SimpleCommand } from "./command/simple-command.ts";
import type { PatternName } from "./risk/patterns.ts";
import type { Risk } from "./risk/risk.ts";

/**
 * Where a call of a tool with a sandbox would run: `outside` if it needs what the sandbox forbids. `mixed`: it needs
 * that, and the same command line has a command that does not, and that should not run outside.
 */
export type SandboxExit = "inside" | "outside" | "mixed";

export function sandboxExit(risk: Risk, commands: readonly SimpleCommand[]): SandboxExit {
  if (!needsOutside(risk) && !commands.some((command) => needsOutside(command.risk))) return "inside";
  const patternsOfCommands = commands.flatMap((command) => command.risk.patterns ?? []);
  const mayHideCommand = risk.patterns?.some((name) => hiding.has(name) && !patternsOfCommands.includes(name));
  return !mayHideCommand && commands.every((command) => mayRunOutside(command.risk)) ? "outside" : "mixed";
}

/** Patterns of what stands around the commands, where bash may run something that nobody sees. */
const hiding: ReadonlySet<string> = new Set<PatternName>(["unsupported syntax", "arithmetic", "syntax error"]);

/** A command that only reads or edits in the workspace does the same in both places. */
function mayRunOutside(risk: Risk): boolean {
  return risk.tier <= 1 || needsOutside(risk);
}

/** Patterns of tier 3 for which the sandbox has everything that is needed. */
const insidePatterns: ReadonlySet<string> = new Set<PatternName>([
  "environment disclosure",
  "archive extraction",
  "hard link",
  "history rewrite",
  "discard changes",
]);

/** Patterns of tier 4 that say what is needed. The others say that something is destructive, or not understood. */
const outsidePatterns: ReadonlySet<string> = new Set<PatternName>([
  "network access",
  "download and run",
  "system change",
  "privilege escalation",
  "path outside the workspace",
  "link out of the workspace",
  "protected folder",
]);

function needsOutside({ tier, patterns = [] }: Risk): boolean {
  if (tier <= 2) return false;
  if (patterns.some((pattern) => outsidePatterns.has(pattern))) return true;
  return tier === 3 && !(patterns.length > 0 && patterns.every((pattern) => insidePatterns.has(pattern)));
}
