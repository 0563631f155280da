import type { Gate } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { pausingGate } from "./pausing-gate.ts";

const gate = (decision: "allow" | "ask" | "deny"): Gate => ({
  decide: async () => ({ tier: 2, decision, reason: "as it is" }),
});

async function decided(
  globs: readonly string[],
  tool: string,
  attended = true,
  inner: "allow" | "ask" | "deny" = "allow",
): Promise<string> {
  const call = { type: "call", id: "c1", tool, input: {} } as const;
  const named = { name: tool } as Parameters<Gate["decide"]>[1]; // all that it looks at
  const { decision, reason } = await pausingGate(gate(inner), globs, attended).decide(call, named, { workspace: "/" });
  return `${decision}: ${reason}`;
}

test("tools that match are asked about, others are left to the gate", async () => {
  expect(await decided(["bash"], "bash")).toBe(
    'ask: Calls of bash are always asked about (security.pause_before has "bash").',
  );
  expect(await decided(["web_*", "?rite"], "Write")).toMatch(/^ask: /);
  for (const tool of ["read", "bash2", "web.fetch"])
    expect(await decided(["bash", "web_*", "[r]ead", "rea(d)"], tool)).toBe("allow: as it is");
});

test("where nobody can be asked it is refused, with the reason", async () => {
  expect(await decided(["*"], "bash", false)).toMatch(/^deny: .*pause_before.* Nobody is there to be asked\.$/);
});

test("what the gate refuses stays refused", async () => {
  expect(await decided(["*"], "bash", true, "deny")).toBe("deny: as it is");
});
