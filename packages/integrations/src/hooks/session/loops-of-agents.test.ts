import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { contractOf } from "../contracts/index.ts";
import type { HookContract } from "../hook-contract.ts";
import { answerHook } from "./answer-hook.ts";
import { initialSession, type SessionState } from "./session-state.ts";

/** The events of one turn with one call, and what the agent does with a refusal: no result comes. */
interface Loop {
  readonly before: (turn: number) => object;
  readonly after: (turn: number) => object;
}

const failure = "cat: nope.txt: No such file or directory\n";
const command = { command: "cat nope.txt" };

const loops: Readonly<Record<string, Loop>> = {
  codex: {
    before: (turn) => ({
      hook_event_name: "PreToolUse",
      session_id: "s",
      tool_name: "Bash",
      tool_input: command,
      tool_use_id: `call_${turn}`,
    }),
    after: (turn) => ({
      hook_event_name: "PostToolUse",
      session_id: "s",
      tool_name: "Bash",
      tool_input: command,
      tool_use_id: `call_${turn}`,
      tool_response: failure,
    }),
  },
  "gemini-cli": {
    before: (turn) => ({
      hook_event_name: "BeforeTool",
      session_id: "s",
      timestamp: `before ${turn}`,
      tool_name: "run_shell_command",
      tool_input: command,
    }),
    after: (turn) => ({
      hook_event_name: "AfterTool",
      session_id: "s",
      timestamp: `after ${turn}`,
      tool_name: "run_shell_command",
      tool_input: command,
      tool_response: { llmContent: `Output: ${failure}Exit Code: 1\n` },
    }),
  },
  cursor: {
    before: (turn) => ({
      hook_event_name: "preToolUse",
      conversation_id: "s",
      tool_name: "Shell",
      tool_input: command,
      tool_use_id: `call_${turn}`,
    }),
    after: (turn) => ({
      hook_event_name: "postToolUse",
      conversation_id: "s",
      tool_name: "Shell",
      tool_input: command,
      tool_use_id: `call_${turn}`,
      tool_output: JSON.stringify({ exitCode: 1, stderr: failure }),
    }),
  },
  opencode: {
    before: (turn) => ({
      version: 1,
      event: "tool.execute.before",
      session: "s",
      call: { id: `call_${turn}`, tool: "bash", args: command },
    }),
    after: (turn) => ({
      version: 1,
      event: "tool.execute.after",
      session: "s",
      call: { id: `call_${turn}`, tool: "bash", args: command },
      output: failure,
    }),
  },
};

function contractNamed(agent: string): HookContract {
  const contract = contractOf(agent);
  if (contract === undefined) throw new Error(`there is no contract of ${agent}`);
  return contract;
}

/** The parts of the answers to an agent that makes the same call in every turn, without those that were empty. */
function answersInLoop(agent: string, turns: number): readonly string[] {
  const contract = contractNamed(agent);
  const { before, after } = loops[agent] ?? {};
  let state: SessionState = initialSession;
  let at = 1_795_060_000_000;
  const answer = (input: unknown): string => {
    const event = contract.read(input);
    if (typeof event === "string") throw new Error(event);
    at += 1_000;
    const options = { contract, event, at, policy: defaultPolicy, attended: false, redact: (text: string) => text };
    const reaction = answerHook(state, options);
    state = JSON.parse(JSON.stringify(reaction.state)) as SessionState; // as it is stored between two processes
    return Object.keys(reaction.answer).join("+");
  };
  return Array.from({ length: turns }, (_, turn) => turn)
    .flatMap((turn) => {
      const decision = answer(before?.(turn));
      return decision === "" ? [answer(after?.(turn))] : [decision];
    })
    .filter((parts) => parts !== "");
}

const ladder = ["tell", "tell", "tell", "deny", "deny", "deny"];

test.each(["codex", "gemini-cli", "opencode"])("%s: hints, refusals, and then a stop", (agent) => {
  expect(answersInLoop(agent, 10)).toEqual([...ladder, "deny+stop", "deny+stop"]);
});

test("Cursor cannot be stopped: every further call is refused", () => {
  expect(answersInLoop("cursor", 10)).toEqual([...ladder, "deny", "deny+notify"]);
});

test.each(Object.keys(loops))("%s: the spool has the end of each turn once", (agent) => {
  const contract = contractNamed(agent);
  const { before, after } = loops[agent] ?? {};
  const request = { hook_event_name: "PreModelRequest", session_id: "s" }; // of Codex; another agent has none
  const inputs = [1, 2, 3].flatMap((turn) => [request, before?.(turn), after?.(turn)]);
  let state = initialSession;
  const types = inputs.flatMap((input, index) => {
    const event = contract.read(input);
    if (typeof event === "string") return [];
    const options = { contract, event, at: index * 5_000, policy: defaultPolicy, attended: false };
    const reaction = answerHook(state, { ...options, redact: (text) => text });
    ({ state } = reaction);
    return reaction.lines.map(({ type }) => type).filter((type) => type !== "session");
  });
  const turn = ["call", "result", "turn-end"];
  expect(types).toEqual([...turn, ...turn, ...turn, "intervention", "answer"]);
});

test("the second delivery of an event is answered like the first, and counts once", () => {
  const contract = contractNamed("gemini-cli");
  const { before } = loops["gemini-cli"] ?? {};
  const event = contract.read(before?.(0));
  if (typeof event === "string") throw new Error(event);
  const options = { contract, event, at: 1, policy: defaultPolicy, attended: false, redact: (text: string) => text };
  const first = answerHook(initialSession, options);
  const second = answerHook(first.state, options);
  expect(second.state).toBe(first.state);
  expect(second.lines).toEqual([]);
});
