import { defaultPolicy, type Policy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { contractOf } from "../contracts/index.ts";
import type { HookAnswer } from "../hook-answer.ts";
import type { HookContract } from "../hook-contract.ts";
import { answerHook } from "./answer-hook.ts";
import { initialSession, type SessionState } from "./session-state.ts";
import type { SessionUsage } from "./session-usage.ts";

/** The events of one turn with one call, and what the agent does with a refusal: no result comes. */
interface Loop {
  readonly before: (turn: number) => object;
  readonly after: (turn: number) => object;
}

const failure = "cat: nope.txt: No such file or directory\n";
const command = { command: "cat nope.txt" };

const loops: Readonly<Record<string, Loop>> = {
  "claude-code": {
    before: (turn) => ({
      hook_event_name: "PreToolUse",
      session_id: "s",
      tool_name: "Bash",
      tool_input: command,
      tool_use_id: `call_${turn}`,
    }),
    after: (turn) => ({
      hook_event_name: "PostToolUseFailure",
      session_id: "s",
      tool_name: "Bash",
      tool_input: command,
      tool_use_id: `call_${turn}`,
      error: `Exit code 1\n${failure}`,
    }),
  },
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

interface LoopOptions {
  readonly attended?: boolean;
  readonly policy?: Policy;
  readonly usage?: SessionUsage;
}

/** The answers to an agent that makes the same call in every turn, without those that were empty. */
function answersInLoop(agent: string, turns: number, options: LoopOptions = {}): readonly HookAnswer[] {
  const contract = contractNamed(agent);
  const { before, after } = loops[agent] ?? {};
  let state: SessionState = initialSession;
  let at = 1_795_060_000_000;
  const answer = (input: unknown): HookAnswer => {
    const event = contract.read(input);
    if (typeof event === "string") throw new Error(event);
    at += 1_000;
    const rest = { policy: defaultPolicy, attended: false, redact: (text: string) => text, ...options };
    const reaction = answerHook(state, { contract, event, at, ...rest });
    state = JSON.parse(JSON.stringify(reaction.state)) as SessionState; // as it is stored between two processes
    return reaction.answer;
  };
  return Array.from({ length: turns }, (_, turn) => turn)
    .flatMap((turn) => {
      const decision = answer(before?.(turn));
      return Object.keys(decision).length === 0 ? [answer(after?.(turn))] : [decision];
    })
    .filter((each) => Object.keys(each).length > 0);
}

const partsInLoop = (...args: Parameters<typeof answersInLoop>) =>
  answersInLoop(...args).map((answer) => Object.keys(answer).join("+"));

const ladder = ["tell", "tell", "tell", "deny", "deny", "deny"];

test.each(["codex", "gemini-cli", "opencode"])("%s: hints, refusals, and then a stop", (agent) => {
  expect(partsInLoop(agent, 10)).toEqual([...ladder, "deny+stop", "deny+stop"]);
});

test("Cursor cannot be stopped: every further call is refused", () => {
  expect(partsInLoop("cursor", 10)).toEqual([...ladder, "deny", "deny+notify"]);
});

describe("what is said once a run has to end", () => {
  const loopReason =
    'This exact call to "Bash" has failed 5 times with the same error. It was refused 3 times and made again.';
  const limitReason = "This run has used $1.02 of $1.00 (102 %).";
  const reasons = { loop: loopReason, limit: limitReason } as const;
  const endedBy = { loop: {}, limit: limitOptions() } as const;

  function limitOptions(): LoopOptions {
    const usage = {
      inputTokens: 1,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 1,
      tokens: 2,
      isPriced: true,
    };
    const policy = { ...defaultPolicy, limits: { "run-cost": { stop: 1e9 } } };
    return { policy, usage: { ...usage, costNanoUsd: 1.02e9 } };
  }

  /** The texts of the answers after the end, without the name of the tool. */
  function saidAtEnd(agent: string, attended: boolean, cause: "loop" | "limit"): readonly HookAnswer[] {
    const answers = answersInLoop(agent, 24, { ...endedBy[cause], attended });
    const first = answers.findIndex(({ deny, stop }) => stop !== undefined || /all calls are refused/.test(deny ?? ""));
    const text = JSON.stringify(answers.slice(first)).replaceAll(
      /\\"(?:bash|Shell|run_shell_command)\\"/g,
      '\\"Bash\\"',
    );
    return JSON.parse(text) as readonly HookAnswer[];
  }

  const rows = [true, false].flatMap((attended) => (["loop", "limit"] as const).map((cause) => ({ attended, cause })));
  const ending = Object.keys(loops).filter((agent) => agent !== "cursor");

  test.each(
    ending
      .flatMap((agent) => rows.map((row) => ({ agent, ...row })))
      .filter(({ agent, attended }) => agent !== "codex" || !attended),
  )("$agent honours a stop: attended $attended, $cause", ({ agent, attended, cause }) => {
    const { label } = contractNamed(agent);
    const said = saidAtEnd(agent, attended, cause);
    const stop = `Sheepdog stopped ${label}. ${reasons[cause]} The run is ended here. Write a message to continue.`;
    expect(said.length).toBeGreaterThan(10);
    expect(new Set(said.map((answer) => answer.stop))).toEqual(new Set([stop]));
    expect(said.some(({ notify }) => notify !== undefined)).toBe(false);
  });

  test.each([
    ...rows.map((row) => ({ agent: "cursor", press: "press the Stop button", ...row })),
    ...rows.filter(({ attended }) => attended).map((row) => ({ agent: "codex", press: "press Esc", ...row })),
  ])("$agent continues: attended $attended, $cause", ({ agent, press, attended, cause }) => {
    const { label } = contractNamed(agent);
    const said = saidAtEnd(agent, attended, cause);
    const costs = "although all its calls are refused, and each request costs money";
    const notify = `Sheepdog: ${label} continues ${costs}: ${press}.`;
    const reason = `${reasons[cause]} From now on all calls are refused.`;
    expect(said.slice(0, 3)).toEqual([
      { deny: `Refused by the guardian, not run. ${reason} End your turn.` },
      { deny: "Refused. End your turn.", notify },
      { deny: "Refused. End your turn." },
    ]);
    expect(said.flatMap((answer, index) => (answer.notify === undefined ? [] : [index]))).toEqual(
      [1, 9, 19].filter((index) => index < said.length),
    );
    expect(JSON.stringify(said)).not.toMatch(/ended|stopped/);
  });

  test("a person's message starts the count anew", () => {
    const contract = contractNamed("codex");
    const { before } = loops["codex"] ?? {};
    const { policy = defaultPolicy, usage } = limitOptions();
    let state = initialSession;
    const send = (input: unknown, used = usage) => {
      const event = contract.read(input);
      if (typeof event === "string") throw new Error(event);
      const rest = { at: 1, policy, attended: true, redact: (text: string) => text };
      const reaction = answerHook(state, { contract, event, ...rest, ...(used === undefined ? {} : { usage: used }) });
      ({ state } = reaction);
      return reaction.answer;
    };
    for (const id of [0, 1, 2]) send(before?.(id));
    expect(state.agents[""]?.refusedAtEnd).toBe(3);
    expect(send({ hook_event_name: "UserPromptSubmit", session_id: "s", prompt: "Continue." })).toEqual({});
    expect(state.agents[""]?.refusedAtEnd).toBeUndefined();
    expect(send(before?.(3))).toEqual({});
  });
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
