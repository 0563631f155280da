import type { Check } from "../goals/check.ts";
import type { Goal } from "../protocol/goal.ts";
import type { PlanNode } from "../protocol/plan.ts";
import { missingOutputs } from "./node-outputs.ts";

/** The check that every node has: its answer has all its outputs. */
const OUTPUTS_CHECK = "outputs of the plan";

/** What the judge of a node's run decides by. */
export interface JudgedNode {
  readonly goal: Goal;
  readonly checks: Readonly<Record<string, Check>>;
}

/**
 * The goal of a node: its outputs are there, and what the plan asks for. The gate applies the rules of the whole goal
 * that concern calls; the judge of the whole plan evaluates the others.
 */
export function nodeGoal(node: PlanNode): JudgedNode {
  const { goal } = node;
  return {
    goal: {
      text: goal?.text ?? firstLine(node.prompt),
      criteria: [
        { type: "Custom", name: OUTPUTS_CHECK },
        ...(goal?.contains ?? []).map((text) => ({ type: "OutputContains", text }) as const),
        ...(goal === undefined ? [] : [{ type: "LlmJudge", text: goal.text } as const]),
      ],
    },
    checks: {
      [OUTPUTS_CHECK]({ output }) {
        const missing = missingOutputs(node, output);
        return missing.length === 0 || `The answer has to deliver ${missing.join(", ")}.`;
      },
    },
  };
}

/** Whether a goal was made by `nodeGoal`. */
export function isNodeGoal({ criteria = [] }: Pick<Goal, "criteria"> = {}): boolean {
  return criteria.some((criterion) => criterion.type === "Custom" && criterion.name === OUTPUTS_CHECK);
}

/** A title for events and for a goal that is not given. */
export function firstLine(prompt: string): string {
  const [line = ""] = prompt.trim().split("\n");
  return line.length <= 120 ? line : `${line.slice(0, 119)}…`;
}
