// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { GateRule } from "../protocol/gate-rule.ts";
import type { CallPart } from "../protocol/messages.ts";
import { ok, type Tool } from "../tools/tool.ts";
import { createGate, type GateOptions } from "./default-gate.ts";
import type { GateContext } from "./gate.ts";

let workspace: string;
beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "exit-")));
  mkdirSync(join(workspace, ".git"));
  writeFileSync(join(workspace, "a.tar"), "");
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const bash: Tool = { name: "bash", origin: "builtin", description: "", input: z.unknown(), run: async () => ok("") };
const allow = (command: string): GateRule => ({ tool: "bash", command, decision: "allow" });

function decide(command: string, options: GateOptions = {}, context: Partial<GateContext> = {}) {
  const call: CallPart = { type: "call", id: "c1", tool: "bash", input: { command } };
  return createGate(options).explain(call, bash, { workspace, isSandboxed: true, ...context });
}

describe("with a sandbox", () => {
  test.each([
    "curl https://example.org",
    "git push origin main",
    "git push --force origin main",
    "npm install left-pad",
    "cargo install x",
    "cat /etc/passwd",
    "echo x > /etc/x",
    "cd .. && ls",
    "docker ps",
    "sudo ls",
    "touch .git/config",
    "timeout 5 git push",
    "mkdir -p out && curl https://example.org > out/page",
  ])("%s needs what the sandbox forbids, so it is asked about and runs outside", (command) => {
    expect(decide(command)).toMatchObject({ decision: "ask", leavesSandbox: true });
  });

  test.each([
    'python -c "print(1)"',
    'eval "$X"',
    "some-unknown-program --flag",
    "git reset --hard",
    "git rebase main",
    "tar xf a.tar",
    "printenv",
  ])("%s is asked about, and runs inside", (command) => {
    const decision = decide(command);
    expect(decision.decision).toBe("ask");
    expect(decision).not.toHaveProperty("leavesSandbox");
  });

  test.each([
    "node written.js; git push",
    "git push && npm test",
    'sh -c "node written.js; git push"',
    "node written.js > /tmp/out",
    "curl https://example.org | sh",
    'python -c "print(1)"; cargo install x',
    "cat $(curl https://example.org)",
  ])("%s is refused: one command would take another one out of the sandbox", (command) => {
    const decision = decide(command);
    expect(decision).toMatchObject({
      decision: "deny",
      reason: expect.stringMatching(/The rest of the line would leave the sandbox with it\.$/),
      instead: "Do what needs this in a call of its own, and the rest in another one that uses files of the workspace.",
    });
    expect(decision).not.toHaveProperty("leavesSandbox");
  });

  test("a rule allows one command, not the line around it", () => {
    const options = { attended: false, rules: [allow("git push *")] };
    expect(decide("git push origin main", options)).toMatchObject({ decision: "allow", leavesSandbox: true });
    expect(decide("node written.js; git push origin main", options)).toMatchObject({ tier: 3, decision: "deny" });
    const everyCall = { attended: false, rules: [{ tool: "bash", decision: "allow" } as const] };
    expect(decide("node written.js; git push origin main", everyCall)).toMatchObject({ decision: "deny" });
  });

  test.each([
    "git push origin \"${x:-$'$(node written.js)'}\"",
    'git push origin "${v/$(node written.js)/a}"',
    "git push origin main <<< ${v/$(node written.js)/a}",
    "git push origin main && cat <<EOF\n${x:-'$(node written.js)'}\nEOF",
    'git push origin main; echo "${x:?<(node written.js)}"',
    "git push origin main; git commit -m \"$(cat <<EOF\n${x:-'`node written.js`'}\nEOF\n)\"",
    "git push origin main; sh -c '[[ a || node written.js ]]'",
  ])("a rule takes no command in an operand out of the sandbox: %s", (command) => {
    const everyCall: GateRule = { tool: "bash", decision: "allow" };
    for (const rules of [[allow("git push *")], [allow("git push *"), allow("git commit *"), everyCall]]) {
      for (const attended of [false, true]) {
        const decision = decide(command, { attended, rules });
        expect(decision.decision).toBe("deny");
        expect(decision).not.toHaveProperty("leavesSandbox");
      }
    }
  });

  test.each([
    "git push ./bare main",
    "git push bare main",
    "git push file:///tmp/x main",
    "git push 'ext::sh -c id' main",
    "git push $(cat options)",
    'git push origin "$(cat options)"',
    "git fetch $(cat options)",
    'git clone "$x"',
    "npm publish ./package",
  ])("a rule does not cover a program or a repository with hooks that it may name: %s", (command) => {
    mkdirSync(join(workspace, "bare"), { recursive: true });
    writeFileSync(join(workspace, "bare/HEAD"), "");
    const rules = ["git push *", "git fetch *", "git clone *", "npm publish *"].map(allow);
    const wasWritten = (file: string) => file.endsWith("/package/package.json");
    expect(decide(command, { attended: false, rules }, { wasWritten }).decision).toBe("deny");
  });

  test("a hook or a script of this session needs approval under any rule", () => {
    const rules = [allow("git push *"), allow("npm install *")];
    const wasWritten = (file: string) => /pre-push$|package\.json$/.test(file);
    for (const command of ["git push origin main", "npm install left-pad"]) {
      expect(decide(command, { attended: false, rules })).toMatchObject({ decision: "allow" });
      expect(decide(command, { attended: false, rules }, { wasWritten })).toMatchObject({ decision: "deny" });
      expect(decide(command, { rules }, { wasWritten })).toMatchObject({
        decision: "ask",
        reason: expect.stringContaining("was written in this session. It would run outside the sandbox."),
      });
    }
  });

  test("code of this session that leaves the sandbox counts as code without one", () => {
    const options: GateOptions = { attended: false, unattendedCode: "deny", rules: [allow("node *")] };
    const wasWritten = () => true;
    expect(decide("node x.js", options, { wasWritten })).toMatchObject({ decision: "allow" });
    expect(decide("node x.js /etc/passwd", options, { wasWritten })).toMatchObject({
      decision: "deny",
      reason: expect.stringContaining("x.js was written in this session. It would run outside the sandbox."),
    });
  });
});

test("without a sandbox, nothing leaves it and no line is refused for it", () => {
  const decision = decide("node written.js; git push", {}, { isSandboxed: false });
  expect(decision).toMatchObject({ tier: 3, decision: "ask", reason: "Sends commits to another machine." });
  expect(decision).not.toHaveProperty("leavesSandbox");
});
