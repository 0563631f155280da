import type { SyntaxNode } from "unbash";
import { expansionsIn } from "./expansions.ts";
import { highestRisk, type Risk, unclear } from "./risk.ts";
import { nested, type Shell } from "./shell.ts";

/** The risk of evaluating a word, which runs the commands inside it. */
export function wordRisk(node: SyntaxNode, shell: Shell): Risk {
  const { scripts, risk } = expansionsIn(node, shell.variables);
  const risks = scripts.map((script) =>
    script.errors !== undefined && script.errors.length > 0
      ? unclear("Runs something that cannot be parsed.", "syntax error")
      : shell.assessList(script.commands, nested(shell)),
  );
  const inner = highestRisk(risks);
  const named = inner.tier > 2 ? { ...inner, patterns: [...(inner.patterns ?? []), "command substitution"] } : inner;
  return highestRisk([...(risk === undefined ? [] : [risk]), named]);
}
