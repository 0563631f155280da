import { type GateRule, ruleText } from "@sheepdog/agent";
import type { PermissionRules } from "../../compose/permission-rules.ts";

/** Prints to the user and reads answers. */
export interface RuleDialog {
  print(sentence: string): Promise<void>;
  /** The typed line; undefined if the question ended without one. */
  readLine(question: string): Promise<string | undefined>;
}

/** Shows a rule, and writes it if the user confirms with a whole word. Returns whether it was written. */
export async function offerRule(
  rule: GateRule,
  rules: PermissionRules,
  { print, readLine }: RuleDialog,
): Promise<boolean> {
  await print(`The rule: ${ruleText(rule)}. It goes to ${rules.file} and allows such calls in every later run.`);
  const line = await readLine("Type write to add the rule and allow the call; anything else goes back:");
  if (line?.trim().toLowerCase() !== "write") return false;
  const problem = await rules.allowAlways(rule);
  await print(problem === undefined ? `The rule is written and applies from now on.` : `Not written: ${problem}`);
  return problem === undefined;
}
