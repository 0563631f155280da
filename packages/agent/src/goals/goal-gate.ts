import type { Gate, GateDecision } from "../gate/gate.ts";
import type { Constraint, Goal } from "../protocol/goal.ts";
import type { CallPart } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import { createPathView, isFile, namedFiles } from "./call-files.ts";
import { forbiddenTools, listed } from "./constraint-rules.ts";
import { createFileRules } from "./file-rules.ts";

/**
 * A gate that refuses calls which a `must` of the goal does not allow: its rules about tools and files hold before
 * anything has happened, for the run and for its subagents.
 */
export function goalGate(gate: Gate, { constraints = [] }: Pick<Goal, "constraints">): Gate {
  const musts = constraints.filter(({ level, rule }) => level === "must" && rule !== undefined);
  if (musts.length === 0) return gate;
  return {
    async decide(call, tool, context) {
      const decision = await gate.decide(call, tool, context);
      if (decision?.decision !== "allow" && decision?.decision !== "ask") return decision;
      const files = writtenFiles({ call, tool }, decision, context.workspace);
      const refusals = musts.flatMap((constraint) => refusalOf(constraint, { tool, files }));
      return refusals[0] === undefined ? decision : refused(decision, refusals[0]);
    },
  };
}

function refused({ leavesSandbox: _, suggestion: __, ...decision }: GateDecision, reason: string): GateDecision {
  return { ...decision, decision: "deny", reason, instead: "Reach the goal in another way." };
}

/** The files that a call would write, as rules see them. */
function writtenFiles(
  { call, tool }: { readonly call: CallPart; readonly tool: Tool },
  decision: GateDecision,
  workspace: string,
): readonly string[] {
  const named = Array.isArray(decision.writtenFiles) ? decision.writtenFiles : [];
  const files = new Set([...named, ...namedFiles(tool, call.input)].filter(isFile));
  return [...files].map(createPathView(workspace));
}

function refusalOf(
  { text, rule }: Constraint,
  { tool, files }: { readonly tool: Tool; readonly files: readonly string[] },
): readonly string[] {
  const refusal = (what: string) => [`The goal does not allow it: ${text} (${what})`];
  if (rule?.type === "ForbiddenTools" && forbiddenTools(rule.tools, [tool.name]).length > 0)
    return refusal(`it uses ${tool.name}`);
  if (rule?.type !== "OnlyFiles") return [];
  const others = createFileRules().others(rule.files, files);
  return others.length === 0 ? [] : refusal(`it would write ${listed(others)}`);
}
