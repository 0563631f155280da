import { relative, resolve } from "node:path";
import type { GateRule } from "../../protocol/gate-rule.ts";
import { isInside } from "../../protocol/is-inside.ts";
import type { SimpleCommand } from "../command/simple-command.ts";
import { physicalPath } from "../files/path-location.ts";
import type { PathUse } from "../gate.ts";
import { destructivePatterns, type PatternName } from "../risk/patterns.ts";
import type { Risk } from "../risk/risk.ts";
import { folderOfGlob, matchesGlob, matchesPathGlob } from "./glob.ts";
import { matchesCommand } from "./match-command.ts";

/** A call as the rules see it. */
export interface RuledCall {
  readonly tool: string;
  readonly risk: Risk;
  /** Empty for a tool that is not a shell. */
  readonly commands: readonly SimpleCommand[];
  readonly workspace: string;
}

/** The first rule with this decision that could be about the call: about a command of the line, a file or the tool. */
export function findRestriction(
  rules: readonly GateRule[],
  decision: "ask" | "deny",
  call: RuledCall,
): GateRule | undefined {
  return rulesFor(rules, decision, call.tool).find(({ command, path }) => {
    const isAboutCommand =
      command === undefined || call.commands.some(({ words }) => matchesCommand(command, words, "possibly"));
    const isAboutPath =
      path === undefined ||
      (call.risk.paths ?? []).some((use) => matchesPath(path, use, call) || changesFolderOf(path, use, call));
    return isAboutCommand && isAboutPath;
  });
}

/**
 * The first rule that allows every call of the tool, or all files of the call. It never covers what is destructive or
 * not understood, nor a command line, whose commands are allowed one by one. A tool that may destroy something needs a
 * rule with its exact name.
 */
export function findPermission(rules: readonly GateRule[], call: RuledCall): GateRule | undefined {
  if (call.risk.tier >= 4) return undefined;
  const paths = call.risk.paths ?? [];
  const isExact = call.risk.patterns?.includes("destructive tool" satisfies PatternName) === true;
  return rulesFor(rules, "allow", call.tool).find(({ tool, command, path }) => {
    if (command !== undefined || (isExact && /[*?]/.test(tool))) return false;
    if (path === undefined) return true;
    return call.commands.length === 0 && paths.length > 0 && paths.every((use) => matchesPath(path, use, call));
  });
}

/** The first rule that allows this simple command. */
export function findCommandPermission(
  rules: readonly GateRule[],
  tool: string,
  { words, risk }: SimpleCommand,
): GateRule | undefined {
  const isExact = needsExactRule(risk);
  return rulesFor(rules, "allow", tool).find(({ command, path }) => {
    if (command === undefined || path !== undefined || (isExact && command.includes("*"))) return false;
    return matchesCommand(command, words, "surely");
  });
}

/** `git push *` does not cover `git push --force`: such a call needs a rule without wildcards. */
function needsExactRule({ patterns = [] }: Risk): boolean {
  return patterns.some((pattern) => destructivePatterns.has(pattern) || pattern === "environment injection");
}

function rulesFor(rules: readonly GateRule[], decision: GateRule["decision"], tool: string): readonly GateRule[] {
  return rules.filter((rule) => rule.decision === decision && matchesGlob(rule.tool.toLowerCase(), tool.toLowerCase()));
}

/** Compares the file that a path leads to, relative to the workspace; a file outside has its absolute path. */
function matchesPath(glob: string, { path }: PathUse, { workspace }: RuledCall): boolean {
  const root = physicalPath(workspace, ".") ?? workspace;
  const real = physicalPath(root, path);
  if (real === undefined) return false;
  return matchesPathGlob(glob, isInside(root, real) ? relative(root, real) : real);
}

/** `rm -r lib` is also about `lib/keep/**`. */
function changesFolderOf(glob: string, { path, access }: PathUse, { workspace }: RuledCall): boolean {
  const folder = folderOfGlob(glob);
  return access === "write" && folder !== "" && isInside(resolve(workspace, path), resolve(workspace, folder));
}
