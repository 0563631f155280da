import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate, memoryStores, ok, type RuntimeOptions, type Tool } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { expect, onTestFinished, test } from "vitest";
import { done, tool } from "./fault-fixture.ts";
import { testAgent } from "./test-agent.ts";

/** A workspace in which `d/in` is a link to a folder outside. */
function linkedWorkspace(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "one-reply-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const workspace = join(folder, "workspace");
  mkdirSync(join(workspace, "d"), { recursive: true });
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside", "x"), "secret");
  symlinkSync(join(folder, "outside"), join(workspace, "d", "in"));
  return workspace;
}

/** Tools that record their calls. Only `mv d e` changes something. */
function recordingTools(workspace: string, started: string[]): readonly Tool[] {
  const bash = tool("bash", "unknown", async (input) => {
    const { command } = input as { readonly command: string }; // written by the tests below
    started.push(command);
    if (command === "mv d e") renameSync(join(workspace, "d"), join(workspace, "e"));
    return ok("ran");
  });
  const read = tool("read", "read", async (input) => {
    started.push(`read ${(input as { readonly path: string }).path}`); // written by the tests below
    return ok("text");
  });
  return [
    { ...bash, origin: "builtin", touches: () => ["/"] },
    { ...read, origin: "builtin", touches: () => [workspace] },
  ];
}

const bash = (command: string) => ({ tool: "bash", input: { command } });
const read = (path: string) => ({ tool: "read", input: { path } });

async function oneReply(
  calls: readonly ReturnType<typeof bash | typeof read>[],
  options: Partial<RuntimeOptions> = {},
) {
  const workspace = linkedWorkspace();
  const started: string[] = [];
  const stores = memoryStores();
  const agent = testAgent(scriptedModel([{ calls: [...calls] }, done]), recordingTools(workspace, started), {
    workspace,
    stores,
    gate: createGate({ attended: false }),
    ...options,
  });
  await agent.run();
  const decisions = agent.events.flatMap((event) => (event.type === "GateDecision" ? [event.decision] : []));
  return { ...agent, started, decisions, audit: await stores.audit.list() };
}

test("two calls of one reply may not do what one command line may not", async () => {
  for (const second of [bash("cat e/in/x"), read("e/in/x")]) {
    const { started, results, audit, decisions, events } = await oneReply([bash("mv d e"), second]);
    expect(started).toEqual(["mv d e"]);
    expect((await results())[1]).toMatchObject({
      status: "denied",
      content: expect.stringMatching(
        /^Not run: An earlier call of the same reply changed what it does\. Reads e\/in\/x, a link that leads out/,
      ),
    });
    expect(decisions).toEqual(["allow", "allow", "deny"]);
    expect(events.filter(({ type }) => type === "ToolStart")).toHaveLength(1);
    expect(audit).toMatchObject([
      { tool: second.tool, decision: "deny", tier: 3, outcome: { outcome: expect.any(String) } },
      { tool: second.tool, decision: "allow", tier: 0 },
      { tool: "bash", decision: "allow", tier: 1 },
    ]);
  }
});

test("a user who could be asked is not asked in the middle of a reply", async () => {
  const questions: unknown[] = [];
  const { started, results } = await oneReply([bash("mv d e"), bash("cat e/in/x")], {
    gate: createGate(),
    attended: true,
    approve: async (call) => {
      questions.push(call);
      return { isAllowed: true };
    },
  });
  expect([started, questions]).toEqual([["mv d e"], []]);
  expect((await results())[1]?.content).toContain("Make the call again in your next reply");
});

test("a call that was approved for one file outside does not use another one", async () => {
  const { started } = await oneReply([bash("mv d e"), bash("cat /etc/hostname e/in/x")], {
    gate: createGate(),
    attended: true,
    approve: async () => ({ isAllowed: true }),
  });
  expect(started).toEqual(["mv d e"]);
});

test("calls that the others do not concern run, and have one decision each", async () => {
  const { started, decisions } = await oneReply([bash("ls"), read("a.txt"), bash("touch a.txt"), read("a.txt")]);
  expect(started).toEqual(["ls", "read a.txt", "touch a.txt", "read a.txt"]);
  expect(decisions).toEqual(["allow", "allow", "allow", "allow"]);
});

test("an approved call is not asked about again", async () => {
  const approve = async () => ({ isAllowed: true });
  const { started } = await oneReply([bash("touch a.txt"), bash("curl https://example.org")], {
    gate: createGate(),
    attended: true,
    approve,
  });
  expect(started).toEqual(["touch a.txt", "curl https://example.org"]);
});
