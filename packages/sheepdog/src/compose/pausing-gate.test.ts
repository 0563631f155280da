import type { Gate } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { pausingGate } from "./pausing-gate.ts";

const gate = (decision: "allow" | "ask" | "deny"): Gate => ({
  decide: async () => ({ tier: 2, decision, reason: "unchanged" }),
});

async function decide(
  globs: readonly string[],
  tool: string,
  attended = true,
  inner: "allow" | "ask" | "deny" = "allow",
): Promise<string> {
  const call = { type: "call", id: "c1", tool, input: {} } as const;
  const named = { name: tool } as Parameters<Gate["decide"]>[1]; // the gate reads only the name
  const { decision, reason } = await pausingGate(gate(inner), globs, attended).decide(call, named, { workspace: "/" });
  return `${decision}: ${reason}`;
}

test("tools that match need approval; the gate decides about the others", async () => {
  expect(await decide(["bash"], "bash")).toBe(
    'ask: Calls of bash always need approval (security.pause_before has "bash").',
  );
  expect(await decide(["web_*", "?rite"], "Write")).toMatch(/^ask: /);
  for (const tool of ["read", "bash2", "web.fetch"])
    expect(await decide(["bash", "web_*", "[r]ead", "rea(d)"], tool)).toBe("allow: unchanged");
});

test("in an unattended run the call is denied, with the reason", async () => {
  expect(await decide(["*"], "bash", false)).toMatch(/^deny: .*pause_before.* No user is watching to approve it\.$/);
});

test("a call that the gate denies stays denied", async () => {
  expect(await decide(["*"], "bash", true, "deny")).toBe("deny: unchanged");
});
