import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GuardOptions } from "@sheepdog/integrations";
import { createClaudeAgentGuard } from "@sheepdog/integrations/claude-agent-sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { peer } from "../peer.ts";
import { type Script, type ScriptedCall, startAnthropicServer } from "./anthropic-server.ts";

const sdk = peer("claude-agent-sdk");
const failing: ScriptedCall = { name: "Bash", input: { command: "cat missing.txt", description: "Shows a file" } };

describe.skipIf(!sdk.isInstalled)(`the Claude Agent SDK and its program${sdk.hint}`, () => {
  test("a loop is hinted at, then refused, then ended", async () => {
    const agent = await startAgent(() => [failing]);
    const { guard, results } = await agent.run();
    expect(agent.noticesOf(2)).toEqual([]);
    expect(agent.noticesOf(3)).toEqual(["e1/hint"]);
    expect(agent.noticesOf(5)).toEqual(["e1/hint", "e1/warn", "e1/block"]);
    expect(agent.server.requests.at(6)).toContain("Refused by the guardian, not run. This exact call");
    expect(agent.server.requests).toHaveLength(8);
    expect(guard.stop?.reason).toBe("tool_failures");
    expect(guard.snapshot().tokens).toBe(8 * 110);
    expect(results).toHaveLength(1);
  });

  test("a tool that waits for a result that changes is left alone", async () => {
    const agent = await startAgent(({ index }) => (index < 12 ? [{ name: "mcp__ci__status", input: { id: 1 } }] : []));
    let [seconds, percent] = [0, 0];
    const status = () => {
      seconds += 15;
      percent += 8;
      return `deploying: ${percent} %`;
    };
    const { guard } = await agent.run({ now: () => seconds * 1_000 }, { status });
    expect(agent.server.requests).toHaveLength(13);
    expect(agent.noticesOf(12)).toEqual([]);
    expect(guard.stop).toBeUndefined();
  });

  test("a saved guard continues with the session", async () => {
    const agent = await startAgent(({ index }) => (index === 4 ? [] : [failing]));
    const first = await agent.run({ now: () => 1_000, run: "r" });
    expect(first.guard.stop).toBeUndefined();
    const state: unknown = JSON.parse(JSON.stringify(first.guard.snapshot()));
    const second = await agent.run({ now: () => 2_000, run: "r", state }, { resume: first.session });
    expect(second.guard.stop?.reason).toBe("tool_failures");
    expect(agent.server.requests).toHaveLength(9); // as without the break, and the reply of the first part
    expect(agent.noticesOf(8)).toEqual(["e1/hint", "e1/warn", "e1/block"]);
  });

  test("in mode observe nothing changes", async () => {
    const script: Script = ({ index }) => (index < 12 ? [failing] : []);
    const levels: string[] = [];
    const agent = await startAgent(script);
    const { guard } = await agent.run({
      mode: "observe",
      now: () => 1_000,
      onEvent: (event) => levels.push(event.type === "intervention" ? event.intervention.level : event.type),
    });
    expect(agent.server.requests).toHaveLength(13);
    expect(agent.server.requests.join("")).not.toContain("guardian");
    expect(agent.noticesOf(12)).toEqual([]);
    expect(levels).toEqual(expect.arrayContaining(["hint", "warn", "block", "halt"]));
    expect(guard.stop).toBeUndefined();
  });

  test("a limit of tokens ends the run", async () => {
    const agent = await startAgent(({ index }) => [{ name: "Bash", input: { command: `echo ${index}` } }]);
    const { guard } = await agent.run({ policy: { limits: { "run-tokens": { stop: 300 } } } });
    expect(guard.stop?.reason).toBe("token_budget");
    expect(agent.server.requests.length).toBeLessThanOrEqual(4); // a message may come after the hook of its turn
  });

  test("calls of a tool that does not exist are seen", async () => {
    const agent = await startAgent(() => [{ name: "Shell", input: { command: "ls" } }]);
    const { guard } = await agent.run({ now: () => 1_000 });
    expect(agent.noticesOf(3)).toEqual(["e1/hint"]);
    expect(guard.stop?.reason).toBe("tool_failures");
  });

  test("a subagent has its own guard, and its end is not that of the main agent", async () => {
    const work = { description: "Work", prompt: "THE WORK OF THE SUBAGENT", subagent_type: "general-purpose" };
    let mainRequests = 0;
    const agent = await startAgent(({ firstMessage }) => {
      if (firstMessage.includes(work.prompt)) return [failing];
      mainRequests += 1;
      return mainRequests === 1 ? [{ name: "Agent", input: { ...work, run_in_background: false } }] : [];
    });
    const { guard, results } = await agent.run({ now: () => 1_000 });
    expect(mainRequests).toBe(2);
    expect(agent.server.requests).toHaveLength(10);
    expect(guard.stop).toBeUndefined();
    expect(results).toEqual(["Done."]);
    expect(guard.snapshot().subagents).toEqual({});
  });
});

test("an input of another form is left unanswered", async () => {
  const [matcher] = createClaudeAgentGuard().hooks.PreToolUse;
  for (const input of [undefined, "x", {}, { hook_event_name: "PreToolUse", session_id: "s" }])
    expect(await matcher?.hooks[0]?.(input)).toEqual({});
});

interface AgentOptions {
  readonly resume?: string | undefined;
  /** A tool of the program, `mcp__ci__status`. */
  readonly status?: () => string;
}

/** The program of the SDK with a home of its own and a scripted model. Each run is a `query`. */
async function startAgent(script: Script) {
  const home = await mkdtemp(join(tmpdir(), "sheepdog-claude-"));
  const server = await startAnthropicServer(script);
  onTestFinished(async () => {
    await server.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });
  const { query, tool, createSdkMcpServer } = await loadSdk();
  const run = async (options: GuardOptions = { now: () => 1_000 }, { resume, status }: AgentOptions = {}) => {
    const guard = createClaudeAgentGuard(options);
    const ci = tool("status", "The state of the deployment", {}, async () => ({
      content: [{ type: "text", text: status?.() ?? "" }],
    }));
    const messages = query({
      prompt: "Show the file.",
      options: {
        cwd: home,
        env: environment(home, server.url),
        settingSources: [],
        allowedTools: ["Bash", "Agent", "mcp__ci__status"],
        mcpServers: { ci: createSdkMcpServer({ name: "ci", tools: [ci] }) },
        maxTurns: 25,
        hooks: guard.hooks,
        ...(resume === undefined ? {} : { resume }),
      },
    });
    const results: unknown[] = [];
    let session: string | undefined;
    for await (const message of guard.watch(messages)) {
      session = message.session_id ?? session;
      if (message.type === "result") results.push(message.result);
    }
    return { guard, results, session };
  };
  /** The ids of the guardian's notices in a request. */
  const noticesOf = (request: number): readonly string[] =>
    [...(server.requests[request] ?? "").matchAll(/<sheepdog-notice id=\\"([^"\\]+)/g)].map(([, id]) => id ?? "");
  return { server, run, noticesOf };
}

function environment(home: string, url: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    ANTHROPIC_API_KEY: "a-key",
    ANTHROPIC_BASE_URL: url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1",
  };
}

interface SdkMessage {
  readonly type: string;
  readonly session_id?: string;
  readonly result?: unknown;
}

/** The part of the SDK that the test uses. Its package is too large for a development dependency. */
interface Sdk {
  query(options: { readonly prompt: string; readonly options: object }): AsyncIterable<SdkMessage>;
  tool(name: string, description: string, schema: object, handler: () => Promise<object>): object;
  createSdkMcpServer(options: { readonly name: string; readonly tools: readonly object[] }): object;
}

async function loadSdk(): Promise<Sdk> {
  return (await import(sdk.url("@anthropic-ai/claude-agent-sdk/sdk.mjs"))) as Sdk; // the exports of the pinned version
}
