import type { Redirection } from "unbash";
import type { ShellArg } from "../command/shell-arg.ts";
import { readRisk, writeRisk } from "../files/file-access.ts";
import { highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { alternativesOf } from "./expand-word.ts";
import type { Shell } from "./shell.ts";
import { wordRisk } from "./word-risk.ts";

/** The risk of `<`, `>` and the other redirections. */
export function redirectionRisk(redirect: Redirection, shell: Shell): Risk {
  if (redirect.descriptor?.type === "FileDescriptorVariable")
    return unclear("Opens a file under a descriptor that is known only when it runs.", "unsupported syntax");
  if (redirect.type === "HereDoc") return hereDocumentRisk(redirect, shell);
  if (redirect.target === undefined) return unclear("Redirects to nothing.", "syntax error");
  const inside = wordRisk(redirect.target, shell);
  if (redirect.type === "HereString") return inside;
  const alternatives = alternativesOf(redirect.target, shell.variables) ?? [[]];
  const risks = alternatives.map(([target, ...others]) =>
    target === undefined || others.length > 0
      ? unclear(`Where ${printable(redirect.target?.text ?? "")} leads is known only when it runs.`, "dynamic path")
      : targetRisk(redirect.operator, target, shell),
  );
  return highestRisk([inside, ...risks]);
}

/** Shells differ in where a here-document without a plain end stops. */
function hereDocumentRisk({ delimiter, body, closing }: Extract<Redirection, { type: "HereDoc" }>, shell: Shell): Risk {
  if (closing === undefined || !/^[\w.-]+$/.test(delimiter?.value ?? ""))
    return unclear("Has a here-document without a clear end.", "syntax error");
  return delimiter?.quoted === true ? reading : wordRisk(body, shell);
}

function targetRisk(operator: string, target: ShellArg, shell: Shell): Risk {
  switch (operator) {
    case "<":
      return readRisk(shell, target);
    case "<&":
    case ">&":
      if (target.type === "plain" && /^(?:\d+|-|\d+-)$/.test(target.value)) return reading;
      return operator === ">&"
        ? writeRisk(shell, target)
        : unclear("Reads from a descriptor that is known only when it runs.", "dynamic path");
    case "<>":
      return unclear("Opens a file for reading and writing.", "unsupported syntax");
    default:
      return writeRisk(shell, target);
  }
}
