import type { CallPart } from "../../protocol/messages.ts";
import type { Tool } from "../../tools/tool.ts";
import type { SimpleCommand } from "../command/simple-command.ts";
import type { GateContext, Principle, PrincipleFinding } from "../gate.ts";
import type { Risk } from "../risk/risk.ts";

/** What the principles judge. */
export interface PrincipleInput {
  readonly call: CallPart;
  readonly tool: Tool;
  readonly risk: Risk;
  /** The simple commands of a shell's command line; empty for other tools. */
  readonly commands: readonly SimpleCommand[];
  readonly context: GateContext;
  /** The files of this session that the call would run, as they stand in the call. */
  readonly writtenCode: readonly string[];
}

/** One principle, by rule: the same input gives the same finding. */
export type JudgePrinciple = (input: PrincipleInput) => PrincipleFinding;

type CreateFinding = (reason: string) => PrincipleFinding;

/** Creates the findings of a principle. */
export function findings(principle: Principle): Readonly<Record<PrincipleFinding["verdict"], CreateFinding>> {
  const finding = (verdict: PrincipleFinding["verdict"]) => (reason: string) => ({ principle, verdict, reason });
  return { fine: finding("fine"), caution: finding("caution"), against: finding("against") };
}

/** All texts in the arguments of a call, also in lists and objects. */
export function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > 8) return [];
  return Object.values(value).flatMap((inner) => textsIn(inner, depth + 1));
}
