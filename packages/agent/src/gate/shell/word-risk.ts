import type { ParsedScript, SyntaxNode } from "unbash";
import { highestRisk, type Risk, reading, unclear } from "../risk/risk.ts";
import { expansionsIn } from "./expansions.ts";
import { nested, type Shell } from "./shell.ts";

/** The risk of evaluating a word, which runs the commands inside it. */
export function wordRisk(node: SyntaxNode, shell: Shell): Risk {
  const { scripts, inputs, risk } = expansionsIn(node, shell.variables);
  const inner = highestRisk(scripts.map((script) => scriptRisk(script, shell)));
  const named = inner.tier > 2 ? { ...inner, patterns: [...(inner.patterns ?? []), "command substitution"] } : inner;
  return highestRisk([
    ...(risk === undefined ? [] : [risk]),
    named,
    ...inputs.map((script) => inputRisk(scriptRisk(script, shell))),
  ]);
}

function scriptRisk(script: ParsedScript, shell: Shell): Risk {
  return script.errors !== undefined && script.errors.length > 0
    ? unclear("Runs something that cannot be parsed.", "syntax error")
    : shell.assessList(script.commands, nested(shell));
}

/** Process substitution runs at the same time as the command, so it may only read. */
function inputRisk(risk: Risk): Risk {
  return risk.tier === 0 ? reading : unclear(`Uses process substitution: ${risk.reason}`, "process substitution");
}
