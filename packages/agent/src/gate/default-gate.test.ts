import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolKind } from "@sheepdog/guardian";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { CallPart } from "../protocol/messages.ts";
import { bashTool } from "../tools/bash-tool.ts";
import { builtinTools } from "../tools/builtin-tools.ts";
import { ok, type Tool } from "../tools/tool.ts";
import { createGate, type GateOptions } from "./default-gate.ts";

let workspace: string;
beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "gate-")));
  mkdirSync(join(workspace, "src"));
  mkdirSync(join(workspace, ".git"));
  symlinkSync("/etc", join(workspace, "etc-link"));
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const builtin = (name: string, kind: ToolKind): Tool => ({ ...ownTool(name, kind), origin: "builtin" });
const ownTool = (name: string, kind?: ToolKind): Tool => ({
  name,
  ...(kind === undefined ? {} : { kind }),
  description: "",
  input: z.unknown(),
  run: async () => ok(""),
});
const decide = (name: string, kind: ToolKind, input: CallPart["input"], options: GateOptions = {}) =>
  createGate(options).decide({ type: "call", id: "c1", tool: name, input }, builtin(name, kind), { workspace });

describe("decisions", () => {
  test("reading, editing and building are allowed; the gate asks about everything else", async () => {
    expect(await decide("read", "read", { path: "src/a.ts" })).toMatchObject({
      tier: 0,
      decision: "allow",
      reason: "Only reads.",
    });
    expect(await decide("write", "mutate", { path: "src/a.ts", content: "x" })).toMatchObject({
      tier: 1,
      decision: "allow",
      reason: "Changes files in the workspace.",
    });
    expect(await decide("bash", "unknown", { command: "npm test" })).toMatchObject({ tier: 2, decision: "allow" });
    expect(await decide("bash", "unknown", { command: "curl x" })).toMatchObject({
      tier: 3,
      decision: "ask",
      reason: "curl contacts other machines.",
    });
    expect(await decide("bash", "unknown", { command: "sudo ls" })).toMatchObject({ tier: 4, decision: "ask" });
  });

  test("the .sheepdog folder in the workspace is not changed without approval", async () => {
    const own = { tier: 3, decision: "ask", reason: expect.stringContaining("which holds the limits of agents") };
    expect(await decide("write", "mutate", { path: ".sheepdog/trusted.json", content: "{}" })).toMatchObject(own);
    expect(await decide("edit", "mutate", { path: "src/../.Sheepdog/config.toml" })).toMatchObject(own);
    for (const command of [
      "echo x >> .sheepdog/config.toml",
      "rm -r .sheepdog",
      "sed -i s/1/2/ .sheepdog/config.toml",
      "cd .sheepdog && rm sheepdog.db",
    ])
      expect([command, await decide("bash", "unknown", { command })]).toEqual([command, expect.objectContaining(own)]);
  });

  test("a .sheepdog folder in the workspace is not read without approval", async () => {
    mkdirSync(join(workspace, ".sheepdog"), { recursive: true });
    symlinkSync("../.sheepdog/serve.json", join(workspace, "src/key"));
    const own = { tier: 3, decision: "deny", reason: expect.stringContaining("belongs to Sheepdog") };
    for (const path of [".sheepdog/serve.json", "src/../.SHEEPDOG/serve.json", "src/key"])
      expect([path, await decide("read", "read", { path }, { attended: false })]).toEqual([
        path,
        expect.objectContaining(own),
      ]);
    for (const command of [
      "cat .sheepdog/serve.json",
      "cat src/key",
      "cat < .sheepdog/serve.json",
      "cat .sheepdog/*",
      "cd .sheepdog && cat serve.json",
      "cd .sheepdog && grep -r token",
      "cd .sheepdog && rg token",
      "grep -r token .sheepdog",
      "grep -R token src",
      "find src -name key -exec cat {} +",
      "cp .sheepdog/serve.json a.json",
      "ln .sheepdog/serve.json a.json",
      "tar cf a.tar .sheepdog",
      "git diff --no-index /dev/null .sheepdog/serve.json",
    ])
      expect([command, await decide("bash", "unknown", { command }, { attended: false })]).toEqual([
        command,
        expect.objectContaining({ decision: "deny" }),
      ]);
    rmSync(join(workspace, ".sheepdog"), { recursive: true });
    rmSync(join(workspace, "src/key"));
  });

  test("a protected folder is not read or changed without approval, nor what is above it searched", async () => {
    mkdirSync(join(workspace, "state/control"), { recursive: true });
    writeFileSync(join(workspace, "state/serve.json"), "{}");
    symlinkSync("../state", join(workspace, "src/link"));
    symlinkSync(join(workspace, "state"), join(workspace, "home"));
    const options: GateOptions = { attended: false, protectedFolders: [join(workspace, "home")] };
    const denied = expect.objectContaining({ tier: 3, decision: "deny" });
    for (const [tool, input] of [
      ["read", { path: "state/serve.json" }],
      ["read", { path: "src/link/serve.json" }],
      ["read", { path: join(workspace, "state/sheepdog.db") }],
      ["grep", { pattern: "token" }],
      ["grep", { pattern: "token", path: "." }],
      ["grep", { pattern: "token", path: "state", glob: "*.json" }],
    ] as const)
      expect([input, await decide(tool, "read", input, options)]).toEqual([input, denied]);
    for (const command of [
      "cat state/serve.json",
      "cat src/link/serve.json",
      "cat */serve.json",
      "echo x > state/serve.json",
      "grep -r token",
      "grep -rn token .",
      "rg token",
      "find . -type f -exec cat {} +",
      "find . -name serve.json | xargs cat",
      "tar cf a.tar .",
      "cp -r . copy",
      "diff -r . src",
    ])
      expect([command, (await decide("bash", "unknown", { command }, options)).decision]).toEqual([command, "deny"]);
    for (const command of ["ls", "ls -la .", "find . -name a.ts", "grep -rn x src/a.ts", "cat src/a.ts", "npm test"])
      expect([command, (await decide("bash", "unknown", { command }, options)).decision]).toEqual([command, "allow"]);
    expect(await decide("glob", "read", { pattern: "**/*.ts" }, options)).toMatchObject({ decision: "allow" });
    expect(await decide("grep", "read", { pattern: "x", path: "src" }, options)).toMatchObject({ decision: "allow" });
    for (const path of ["state", "src/link", "home"]) rmSync(join(workspace, path), { recursive: true });
  });

  test("without a user to ask, the gate denies with the reason", async () => {
    expect(await decide("bash", "unknown", { command: "curl x" }, { attended: false })).toMatchObject({
      tier: 3,
      decision: "deny",
      reason: "curl contacts other machines. There is no user to approve it.",
    });
    expect(await decide("bash", "unknown", { command: "ls" }, { attended: false })).toMatchObject({
      decision: "allow",
    });
  });

  test("a write that the tool refuses anyway is denied without asking", async () => {
    const write = { ...builtin("write", "mutate"), isConfined: true };
    const to = (path: string) =>
      createGate().decide({ type: "call", id: "c1", tool: "write", input: { path } }, write, { workspace });
    expect(await to("/etc/x")).toMatchObject({
      tier: 3,
      decision: "deny",
      reason: "Writes to /etc/x, which is outside the workspace.",
    });
    expect(await to("~/x")).toMatchObject({ decision: "ask" }); // the workspace may be in there
    expect(await to(".git/config")).toMatchObject({ decision: "ask" });
    expect(await to("src/a.ts")).toMatchObject({ decision: "allow" });
  });

  test("a stricter mode asks earlier", async () => {
    const edit = { path: "a.ts" };
    expect(await decide("write", "mutate", edit, { mode: "read" })).toMatchObject({ tier: 1, decision: "ask" });
    expect(await decide("write", "mutate", edit, { mode: "edit" })).toMatchObject({ decision: "allow" });
    expect(await decide("bash", "unknown", { command: "npm test" }, { mode: "edit" })).toMatchObject({
      tier: 2,
      decision: "ask",
    });
  });
});

describe("tools other than a shell", () => {
  test.each([
    ["read", "read", { path: "/etc/passwd" }],
    ["read", "read", { path: "../x" }],
    ["read", "read", { path: "~/x" }],
    ["read", "read", { path: "etc-link/passwd" }],
    ["read", "read", { path: ["src", "/etc"] }],
    ["read", "read", { path: { odd: 1 } }],
    ["read", "read", { path: "a\u0000b" }],
    ["grep", "read", { pattern: "x", path: "/" }],
    ["glob", "read", { pattern: "/etc/*" }],
    ["glob", "read", { pattern: "../**" }],
    ["write", "mutate", { path: "/etc/x", content: "" }],
    ["write", "mutate", { path: "etc-link/x", content: "" }],
    ["write", "mutate", { path: ".git/config", content: "" }],
    ["edit", "mutate", { path: "src/../../x" }],
    ["move", "mutate", { source: "src/a", destination: "/tmp/a" }],
    ["create_issue", "mutate", { title: "x" }],
    ["send_email", "send", { to: "x" }],
    ["frobnicate", "unknown", {}],
    ["web_fetch", "read", { url: "https://example.org/?q=secret" }],
    ["web_fetch", "read", { url: "file:///etc/passwd" }],
  ] as const)("%s (%s) with %j is asked about", async (name, kind, input) => {
    expect(await decide(name, kind, input)).toMatchObject({ decision: "ask" });
  });

  test.each([
    ["read", "read", { path: "src/a.ts" }, 0],
    ["read", "read", { path: "." }, 0],
    ["grep", "read", { pattern: "/etc/passwd" }, 0],
    ["glob", "read", { pattern: "**/*.ts" }, 0],
    ["edit", "mutate", { file_path: "src/a.ts", old: "/etc", new: ".." }, 1],
    ["todo", "think", { text: "x" }, 0],
    ["job_status", "poll", { id: 1 }, 0],
    ["memory_write", "mutate", { text: "x" }, 1],
    ["ask_user", "unknown", { question: "x" }, 0],
    ["spawn", "unknown", { task: "x" }, 2],
  ] as const)("%s (%s) with %j is allowed", async (name, kind, input, tier) => {
    expect(await decide(name, kind, input)).toMatchObject({ decision: "allow", tier });
  });

  test("an absolute path into the workspace is inside it", async () => {
    expect(await decide("write", "mutate", { path: join(workspace, "src/a.ts") })).toMatchObject({ tier: 1 });
  });

  test("only exactly the allowed hosts pass", async () => {
    const hosts = ["allowed.com"];
    const fetched = async (url: string) => (await decide("web_fetch", "read", { url }, { hosts })).decision;
    expect(await fetched("https://allowed.com/x")).toBe("allow");
    for (const url of [
      "https://evil\u0000.allowed.com/",
      "https://allowed.com.evil/",
      "https://allowed.com@evil/",
      "https://evil/allowed.com",
      "https://a.allowed.com/",
      "https://allowed.com:8443/",
      "ftp://allowed.com/",
      "https://u:p@allowed.com/",
      "//allowed.com",
      "https://аllowed.com/",
    ]) {
      expect(await fetched(url), url).toBe("ask");
    }
  });
});

describe("tools that the embedding program declares", () => {
  const decideOwn = (tool: Tool, input: CallPart["input"], options: GateOptions = {}) =>
    createGate(options).decide({ type: "call", id: "c1", tool: tool.name, input }, tool, { workspace });
  const allowed = { decision: "allow", reason: "A tool of the embedding program." };

  test.each(["unknown", "mutate", "send", "read", undefined] as const)("kind %s is allowed", async (kind) => {
    expect(await decideOwn(ownTool("create_issue", kind), { title: "x" })).toMatchObject(allowed);
    expect(await decideOwn(ownTool("create_issue", kind), { title: "x" }, { attended: false })).toMatchObject(allowed);
  });

  test("the tier is the same as for other tools", async () => {
    expect(await decideOwn(ownTool("create_issue", "send"), {})).toMatchObject({ tier: 3, ...allowed });
    expect(await decideOwn(ownTool("save", "mutate"), { path: "a.ts" })).toMatchObject({ tier: 1, ...allowed });
  });

  test("a tool called bash is allowed: the origin counts, not the name", async () => {
    expect(await decideOwn(ownTool("bash", "unknown"), { command: "sudo rm -rf /" })).toMatchObject({
      tier: 4,
      ...allowed,
    });
  });

  test("a dangerous command of the built-in bash tool is asked about, or denied without a user", async () => {
    const call = { command: "sudo rm -rf /" };
    expect(await decideOwn(bashTool(), call)).toMatchObject({ tier: 4, decision: "ask" });
    expect(await decideOwn(bashTool(), call, { attended: false })).toMatchObject({ tier: 4, decision: "deny" });
    expect(await decideOwn(bashTool(), { command: "ls" })).toMatchObject({ tier: 0, decision: "allow" });
  });

  test("every built-in tool is judged", () => {
    const memory = { write: async () => ({ id: "fact_1" }), search: async () => [] };
    const tools = builtinTools({ workspace, memory, spawn: async () => ok("") });
    expect(tools.filter(({ origin }) => origin !== "builtin")).toEqual([]);
  });

  test("an external tool is asked about unless it is known to be harmless", async () => {
    const external = (name: string, kind?: ToolKind): Tool => ({ ...ownTool(name, kind), origin: "external" });
    expect(await decideOwn(external("create_issue", "send"), {})).toMatchObject({ tier: 3, decision: "ask" });
    // A name proves nothing.
    expect(await decideOwn(external("get_issue"), {})).toMatchObject({ tier: 3, decision: "ask" });
    expect(await decideOwn(external("get_issue", "read"), {})).toMatchObject({ tier: 0, decision: "allow" });
  });

  test("a claim of a server makes a decision stricter, never laxer", async () => {
    const claimed = (kind: ToolKind | undefined, more: Partial<Tool> = {}): Tool => ({
      ...ownTool("srv__look", kind),
      origin: "external",
      isKindClaimed: true,
      ...more,
    });
    expect(await decideOwn(claimed("read"), {})).toMatchObject({ tier: 3, decision: "ask" });
    expect(await decideOwn(claimed("read"), {}, { attended: false })).toMatchObject({ tier: 3, decision: "deny" });
    // A command line is harmless only where our own shell runs it.
    expect(await decideOwn(claimed(undefined), { command: "ls" })).toMatchObject({ tier: 3, decision: "ask" });
    const own: Tool = { ...ownTool("srv__look"), origin: "external" };
    expect(await decideOwn(own, { command: "ls" })).toMatchObject({ tier: 3, decision: "ask" });
    const rules = [{ tool: "srv__*", decision: "allow" }] as const;
    expect(await decideOwn(claimed("read"), {}, { rules })).toMatchObject({ decision: "allow" });
    const destructive = claimed("mutate", { isDestructive: true });
    expect(await decideOwn(destructive, {}, { rules })).toMatchObject({ tier: 3, decision: "ask" });
    const exact = [{ tool: "srv__look", decision: "allow" }] as const;
    expect(await decideOwn(destructive, {}, { rules: exact })).toMatchObject({ decision: "allow" });
  });

  test("the address of a resource is a name on its server, unless it is one of the network or of a file", async () => {
    const read: Tool = { ...ownTool("mcp_read_resource", "read"), origin: "external" };
    const of = (uri: string, tool = read) => decideOwn(tool, { server: "demo", uri });
    for (const uri of ["demo://resource/static/1", "memory://knowledge-graph"])
      expect(await of(uri)).toMatchObject({ tier: 0, decision: "allow" });
    for (const uri of ["https://evil.example/?key=1", "HTTP://evil.example/", "file:///etc/passwd", "evil.example"])
      expect(await of(uri)).toMatchObject({ tier: 3, decision: "ask" });
    expect(await of("demo://resource/1", { ...read, isKindClaimed: true })).toMatchObject({ tier: 3, decision: "ask" });
    const own: Tool = { ...ownTool("demo__read", "read"), origin: "external" };
    expect(await of("demo://resource/1", own)).toMatchObject({ decision: "ask" });
  });

  test("the user is offered a rule for an external tool, and asked about every secret for it", async () => {
    const external: Tool = { ...ownTool("srv__login"), origin: "external", isKindClaimed: true };
    expect(await decideOwn(external, {})).toMatchObject({ suggestion: { tool: "srv__login", decision: "allow" } });
    const rules = [{ tool: "srv__login", decision: "allow" }] as const;
    expect(await decideOwn(external, { api_key: "abc" }, { rules })).toMatchObject({ decision: "ask" });
    expect(await decideOwn(external, { text: `ghp_${"a1B2c3".repeat(6)}` }, { rules })).toMatchObject({
      decision: "ask",
    });
  });

  test("in the modes read and edit they are judged by their kind", async () => {
    expect(await decideOwn(ownTool("save", "mutate"), { path: "a.ts" }, { mode: "read" })).toMatchObject({
      decision: "ask",
    });
    expect(await decideOwn(ownTool("save", "mutate"), { path: "a.ts" }, { mode: "edit" })).toMatchObject({
      decision: "allow",
    });
    expect(await decideOwn(ownTool("create_issue"), {}, { mode: "edit" })).toMatchObject({ decision: "ask" });
  });
});

describe("ways around the gate", () => {
  test("every tool that runs commands is judged by its command line", async () => {
    for (const name of ["shell", "run_command", "execute_bash", "Terminal"]) {
      expect(await decide(name, "read", { command: "evil" }), name).toMatchObject({ tier: 4 });
    }
    expect(await decide("helper", "unknown", { script: "evil" })).toMatchObject({ tier: 4 });
    expect(await decide("helper", "mutate", { cmd: "ls", path: "src" })).toMatchObject({ tier: 0 });
  });

  test.each([
    { command: "ls", disable_sandbox: true },
    { command: "ls", dangerouslyDisableSandbox: true },
    { command: "ls", sandbox: false },
    { command: "ls", skip_approval: "yes" },
    { command: "ls", env: { PATH: "." } },
    { command: "ls", cwd: "/" },
    { command: "ls", cwd: "etc-link" },
    { command: "ls", cwd: 1 },
    { command: "ls", cmd: "evil" },
    { command: ["ls"] },
    {},
  ])("%j is asked about", async (input) => {
    expect(await decide("bash", "unknown", input)).toMatchObject({ decision: "ask" });
  });

  test("unreadable arguments and a call of another tool are asked about", async () => {
    expect(await decide("bash", "unknown", undefined)).toMatchObject({ tier: 4, decision: "ask" });
    const call: CallPart = { type: "call", id: "c", tool: "bash", input: { command: "evil" } };
    expect(await createGate().decide(call, builtin("read", "read"), { workspace })).toMatchObject({
      tier: 4,
      decision: "ask",
    });
  });

  test("no input makes the gate throw", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("bash", "read", "write", "glob", "web_fetch", "x"),
        fc.constantFrom<ToolKind>("read", "mutate", "unknown", "send"),
        fc.dictionary(fc.constantFrom("path", "command", "url", "pattern", "cwd", "x"), fc.jsonValue()),
        async (name, kind, input) => {
          const { tier, decision, reason } = await decide(name, kind, input);
          expect(decision).toBe(tier <= 2 ? "allow" : "ask");
          expect(reason).not.toBe("");
        },
      ),
    );
  });
});
