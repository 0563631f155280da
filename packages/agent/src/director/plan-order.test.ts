import { expect, test } from "vitest";
import type { NodeStatus, PlanEdge } from "../protocol/plan.ts";
import { nodeStep } from "./plan-order.ts";

/** The step of the node `z`, for edges "a>z", "a>z:failure" and ends "a=failed". */
function step(edges: string, ends: string, isTrue = true): string {
  const list = edges.split(" ").map((text): PlanEdge => {
    const [, from = "", to = "", when = "success"] = /^(\w+)>(\w+)(?::(.+))?$/.exec(text) ?? [];
    return { from, to, when: when === "if" ? { output: "x", equals: "y" } : (when as "success") };
  });
  const ended = new Map(
    ends.split(" ").map((text) => {
      const [id = "", status] = text.split("=");
      return [id, { status: status as NodeStatus, compare: () => isTrue }];
    }),
  );
  return nodeStep("z", { nodes: [], edges: list }, ended);
}

test.each([
  ["a>z b>z", "a=succeeded", "wait"],
  ["a>z b>z", "a=succeeded b=succeeded", "run"],
  ["a>z b>z", "a=succeeded b=skipped", "run"],
  ["a>z b>z", "a=succeeded b=failed", "block"],
  ["a>z", "a=skipped", "skip"],
  ["a>z", "a=blocked", "block"],
  ["a>z:failure", "a=succeeded", "skip"],
  ["a>z:failure", "a=failed", "run"],
  ["a>z:failure", "a=blocked", "block"],
  ["a>z:always", "a=failed", "run"],
  ["a>z:always", "a=skipped", "skip"],
  ["a>z a>f:failure f>z", "a=failed f=succeeded", "run"],
  ["a>z a>f:failure f>z", "a=succeeded f=skipped", "run"],
  ["a>z a>f:failure", "a=failed", "skip"],
  ["a>z:if", "a=failed", "block"],
  ["b>c", "b=failed", "run"],
])("with the edges %s and %s a node has the step %s", (edges, ends, expected) => {
  expect(step(edges, ends)).toBe(expected);
});

test("a comparison decides about its edge", () => {
  expect(step("a>z:if", "a=succeeded", true)).toBe("run");
  expect(step("a>z:if", "a=succeeded", false)).toBe("skip");
});
