import type { EdgeCondition, PlanNode } from "../protocol/plan.ts";
import { outputNames } from "./plan-problems.ts";

/** How a node with several outputs marks one of them in its answer. */
export function outputTag(name: string): string {
  return `<output name="${name}">`;
}

/** The outputs of an answer, by name. A single output is the whole answer; of several, those that are marked. */
export function readOutputs(node: PlanNode, answer: string): ReadonlyMap<string, string> {
  const names = outputNames(node);
  const [only] = names;
  if (names.length === 1 && only !== undefined) return new Map([[only, answer.trim()]]);
  return new Map(
    names.flatMap((name) => {
      const value = markedText(name, answer);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** The text of the last mark with this name, up to its end. */
function markedText(name: string, answer: string): string | undefined {
  const start = answer.lastIndexOf(outputTag(name));
  if (start < 0) return undefined;
  const from = start + outputTag(name).length;
  const end = answer.indexOf("</output>", from);
  return end < 0 ? undefined : answer.slice(from, end).trim();
}

/** The names of outputs that an answer does not have. */
export function missingOutputs(node: PlanNode, answer: string): readonly string[] {
  const outputs = readOutputs(node, answer);
  return outputNames(node).filter((name) => (outputs.get(name) ?? "") === "");
}

/** Whether an edge's comparison with an output holds. */
export function holds(condition: Extract<EdgeCondition, object>, outputs: ReadonlyMap<string, string>): boolean {
  const value = outputs.get(condition.output) ?? "";
  if ("equals" in condition) return value === condition.equals.trim();
  if ("notEquals" in condition) return value !== condition.notEquals.trim();
  return value.includes(condition.contains);
}
