import { markAsData } from "../protocol/outside-text.ts";
import type { Plan } from "../protocol/plan.ts";
import { compactOutput } from "../tools/compact-output.ts";
import type { FinishedNode, PlanEnd } from "./execute-plan.ts";

/** Part of the report's size that is left to its sentences. */
const TEXT_SHARE = 0.25;

/** What the director reads about the end of a plan: each node, why it failed, and the outputs that no node has read. */
export function planReport(plan: Plan, { finished, unfinished }: PlanEnd, maxTokens: number): string {
  const nodes = plan.nodes.flatMap(({ id }) => finished.get(id) ?? []);
  const read = new Set(nodes.flatMap(({ node, status }) => (status === "succeeded" ? (node.inputs ?? []) : [])));
  const results = nodes.flatMap(({ node, outputs }) =>
    [...outputs].filter(([name]) => !read.has(name)).map(([name, text]) => ({ source: `${name} of ${node.id}`, text })),
  );
  const failures = nodes.flatMap(({ node, report }) =>
    report === undefined ? [] : [{ source: `the end of ${node.id}`, text: report }],
  );
  const texts = [...failures, ...results];
  const share = Math.floor((maxTokens * (1 - TEXT_SHARE)) / Math.max(1, texts.length));
  return [
    ...nodes.map(nodeLine),
    ...unfinished.map((id) => `${id}: not started`),
    ...texts.map(({ source, text }) => markAsData(source, compactOutput(text, share))),
  ].join("\n");
}

function nodeLine({ node, status, problem }: FinishedNode): string {
  return `${node.id}: ${status}${problem === undefined ? "" : `: ${problem}`}`;
}
