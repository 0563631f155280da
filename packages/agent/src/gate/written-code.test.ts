import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { CallPart } from "../protocol/messages.ts";
import { ok, type Tool } from "../tools/tool.ts";
import { createGate, type GateOptions } from "./default-gate.ts";
import type { GateContext } from "./gate.ts";

let workspace: string;
beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "written-")));
  mkdirSync(join(workspace, "sub"));
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const bash: Tool = { name: "bash", origin: "builtin", description: "", input: z.unknown(), run: async () => ok("") };

function decide(
  command: string,
  written: readonly string[],
  options: GateOptions = {},
  context: Partial<GateContext> = {},
) {
  const call: CallPart = { type: "call", id: "c1", tool: "bash", input: { command } };
  const files = new Set(written.map((path) => join(workspace, path)));
  return createGate(options).explain(call, bash, { workspace, wasWritten: (path) => files.has(path), ...context });
}

test.each([
  ["node x.js", ["x.js"]],
  ["node --no-warnings ./sub/../x.js", ["x.js"]],
  ["cd sub && node x.js", ["sub/x.js"]],
  ["python3 x.py", ["x.py"]],
  ["bash x.sh", ["x.sh"]],
  ["./x", ["x"]],
  ["timeout 5 node x.js", ["x.js"]],
  ["npm test", ["package.json"]],
  ["cd sub && npm run build", ["package.json"]],
  ["make", ["Makefile"]],
])("%s after %s was written is T2, with a note", (command, written) => {
  const { tier, decision, reason, principles } = decide(command, written);
  expect([tier, decision]).toEqual([2, "allow"]);
  expect(reason).toContain(`${written[0]} was written in this session.`);
  expect(principles).toContainEqual({
    principle: "transparency",
    verdict: "caution",
    reason: `${written[0]} was written in this session, and is not reviewed.`,
  });
});

test.each(["node y.js", "cat x.js", "npm test", "node sub/x.js"])("%s does not run x.js", (command) => {
  expect(decide(command, ["x.js"]).reason).not.toContain("session");
});

test("an unattended run without a sandbox obeys its policy", () => {
  const run = (options: GateOptions, context: Partial<GateContext> = {}) =>
    decide("node x.js", ["x.js"], { attended: false, ...options }, context).decision;
  expect(run({ unattendedCode: "deny" })).toBe("deny");
  expect(run({ unattendedCode: "allow" })).toBe("allow");
  expect(run({ unattendedCode: "deny" }, { isSandboxed: true })).toBe("allow");
  expect(run({ unattendedCode: "deny", attended: true })).toBe("allow");
  expect(decide("node y.js", ["x.js"], { attended: false, unattendedCode: "deny" }).decision).toBe("allow");
});

test("by default, only a git workspace lets an unattended run execute what it wrote", () => {
  const run = () => decide("node x.js", ["x.js"], { attended: false });
  expect(run()).toMatchObject({
    tier: 2,
    decision: "deny",
    reason:
      "x.js was written in this session, and an unattended run without a sandbox may not run such code here " +
      "(security.unattended_code).",
  });
  mkdirSync(join(workspace, ".git"));
  expect(run().decision).toBe("allow");
});
