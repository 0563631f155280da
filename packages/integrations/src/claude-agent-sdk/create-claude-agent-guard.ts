import { createLoopGuard } from "../guard/create-loop-guard.ts";
import type { GuardOptions } from "../guard/guard-options.ts";
import { claudeCodeContract } from "../hooks/contracts/claude-code.ts";
import { objectOf } from "../hooks/contracts/fields.ts";
import type { HookEvent } from "../hooks/hook-event.ts";
import { AgentTurns } from "./agent-turns.ts";
import type { ClaudeAgentGuard, ClaudeAgentGuardState, HookName, Hooks } from "./claude-agent-guard.ts";
import type { HookOutput } from "./hook-output.ts";
import { UsageReader } from "./usage-reader.ts";

/** Creates the guard of one session. Wrong options throw; nothing that a model or a tool returns does. */
export function createClaudeAgentGuard(options: GuardOptions = {}): ClaudeAgentGuard {
  const agentOf = (state: unknown): AgentTurns => new AgentTurns(createLoopGuard({ ...options, state }));
  const main = agentOf(options.state);
  const saved = Object.entries(objectOf(objectOf(options.state)["subagents"]));
  const subagents = new Map(saved.map(([id, state]) => [id, agentOf(state)]));
  const usage = new UsageReader();

  const subagentOf = (id: string): AgentTurns => {
    const agent = subagents.get(id) ?? agentOf(undefined);
    if (!subagents.has(id)) main.guard.guardian.observe({ type: "child-start", id, depth: 1 });
    subagents.set(id, agent);
    return agent;
  };
  const reportEnd = (id: string): void => {
    const findings = subagents.get(id)?.guard.guardian.findings();
    if (findings !== undefined) main.guard.guardian.observe({ type: "child-end", id, depth: 1, findings });
  };

  const answer = (event: HookEvent): HookOutput => {
    if (event.type === "subagent-start") subagentOf(event.id);
    if (event.type === "subagent-end") {
      reportEnd(event.id);
      subagents.delete(event.id);
    }
    const { subagent } = event;
    const agent = subagent === undefined ? main : subagentOf(subagent);
    if (event.type === "before-call") return agent.beforeCall(event);
    if (event.type === "after-call") agent.afterCall(event);
    if (event.type === "stop" && !event.isWaiting) agent.guard.reply(event.text);
    if (event.type !== "turn-end") return {};
    const output = agent.endTurn(event);
    if (subagent !== undefined && agent.guard.stop !== undefined) reportEnd(subagent); // no further event says so
    return output;
  };
  const snapshot = (): ClaudeAgentGuardState => {
    const running = [...subagents].filter(([, { guard }]) => guard.stop === undefined);
    const states = running.map(([id, { guard }]) => [id, guard.snapshot()]);
    return { ...main.guard.snapshot(), subagents: Object.fromEntries(states) };
  };
  const observe = (message: unknown): void => {
    const added = usage.read(message);
    if (added !== undefined) main.guard.usage(added);
  };

  return {
    hooks: hooksFor(answer),
    observe,
    async *watch(messages) {
      for await (const message of messages) {
        observe(message);
        yield message;
      }
    },
    userMessage: () => main.guard.userMessage(),
    get stop() {
      return main.guard.stop;
    },
    guardian: main.guard.guardian,
    snapshot,
  };
}

const hookNames = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "SubagentStart",
  "SubagentStop",
  "Stop",
] as const satisfies readonly HookName[];

/** The SDK's hooks get what command hooks of Claude Code get. An input of another form is left unanswered. */
function hooksFor(answer: (event: HookEvent) => HookOutput): Hooks {
  const hook = async (input: unknown): Promise<HookOutput> => {
    const event = claudeCodeContract.read(input);
    return typeof event === "string" ? {} : answer(event);
  };
  return Object.fromEntries(hookNames.map((name) => [name, [{ hooks: [hook] }]])) as Hooks; // every name is there
}
