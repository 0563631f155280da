import { defaultPolicy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { testSession } from "../../../test/claude-code-session.ts";
import { codexContract } from "../contracts/codex.ts";
import type { HookAnswer } from "../hook-answer.ts";
import { answerHook, type HookInput } from "./answer-hook.ts";
import { initialSession } from "./session-state.ts";
import type { SessionUsage } from "./session-usage.ts";

const turns = (count: number, turn: () => object) => Array.from({ length: count }, turn);
const parts = (answer: object) => Object.keys(answer).sort().join(" ");

describe("a call that fails the same way", () => {
  test("is hinted at, warned of, refused, and ends the run; a person's message starts a new one", () => {
    const { send, failingTurn } = testSession();
    send("UserPromptSubmit", { prompt: "Fix the tests." });
    const answers = turns(8, failingTurn);
    expect(answers.map(parts)).toEqual(["", "", "tell", "tell", "tell", "deny", "deny", "deny stop"]);
    expect(answers[2]).toEqual({
      tell: expect.stringMatching(/^Sheepdog: This exact call to "Bash" has failed 3 times with the same error/),
    });
    expect(answers[7]).toMatchObject({
      stop: expect.stringMatching(/^Sheepdog stopped Claude Code\. .* Write a message to continue\.$/),
    });
    // An agent that does not stop is refused and stopped again.
    expect(parts(failingTurn())).toBe("deny stop");
    expect(send("UserPromptSubmit", { prompt: "The network is back." })).toEqual({});
    expect(parts(failingTurn())).toBe("tell"); // the guardian has not forgotten, and is patient again
  });

  test("is left alone while it polls with changing results", () => {
    const { send } = testSession();
    const answers = turns(20, () => undefined as never).map((_, index) => {
      const call = { tool_name: "Bash", tool_input: { command: "gh run view 7" }, tool_use_id: `p${index}` };
      return [
        send("PreToolUse", call),
        send("PostToolUse", { ...call, tool_response: { stdout: `${index * 5} % done`, stderr: "" } }),
        send("PostToolBatch", { tool_calls: [{ ...call, tool_response: `${index * 5} % done` }] }),
      ];
    });
    expect(answers.flat()).toEqual(answers.flat().map(() => ({})));
  });
});

test("a question that a person answers in the same way each time is left alone", () => {
  const { send } = testSession();
  const tool_input = { questions: [{ question: "Next?" }] };
  const answers = turns(8, () => undefined as never).flatMap((_, index) => {
    const call = { tool_name: "AskUserQuestion", tool_input, tool_use_id: `q${index}` };
    return [
      send("PreToolUse", call),
      send("PostToolUse", { ...call, tool_response: { answers: { "Next?": "go" } } }),
      send("PostToolBatch", { tool_calls: [{ ...call, tool_response: "go" }] }),
    ];
  });
  expect(answers).toEqual(answers.map(() => ({})));
});

test("a subagent may have the name of what every object has", () => {
  const { send } = testSession();
  for (const id of ["constructor", "__proto__"]) {
    const call = { agent_id: id, tool_name: "Bash", tool_input: {}, tool_use_id: id };
    expect(send("PreToolUse", call)).toEqual({});
    expect(send("PostToolUse", { ...call, tool_response: "" })).toEqual({});
  }
});

describe("a person who can be asked", () => {
  test("is asked in place of a refusal, and an approval ends the episode", () => {
    const { send, failingTurn } = testSession({ attended: true });
    send("UserPromptSubmit", { prompt: "Fix the tests." });
    turns(5, failingTurn);
    const call = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "asked" };
    expect(send("PreToolUse", call)).toEqual({
      ask: expect.stringMatching(/^Sheepdog: This exact call to "Bash" has failed 5 times .* Allow it/),
    });
    send("PostToolUseFailure", { ...call, error: "Exit code 1\nError: 1 test failed" });
    expect(turns(3, failingTurn).map(parts)).toEqual(["", "", ""]);
  });

  test("who did not allow it is asked again", () => {
    const { send, failingTurn } = testSession({ attended: true });
    turns(5, failingTurn);
    const call = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "asked" };
    send("PreToolUse", call);
    const refused = "The user doesn't want to proceed with this tool use.";
    send("PostToolBatch", { tool_calls: [{ ...call, tool_response: refused }] });
    expect(parts(send("PreToolUse", { ...call, tool_use_id: "again" }))).toBe("ask");
  });

  test("is not asked where every approval was given in advance", () => {
    const { failingTurn } = testSession({ attended: true });
    const answers = turns(6, () => failingTurn({ permission_mode: "bypassPermissions" }));
    expect(parts(answers.at(-1) ?? {})).toBe("deny");
  });
});

describe("subagents", () => {
  test("have guardians of their own", () => {
    const { send, failingTurn } = testSession();
    send("SubagentStart", { agent_id: "a1", agent_type: "general-purpose" });
    const answers = turns(3, () => [failingTurn(), failingTurn({ agent_id: "a1" })]);
    expect(answers.flat().map(parts)).toEqual(["", "", "", "", "tell", "tell"]);
    expect(turns(2, () => failingTurn({ agent_id: "a2" })).map(parts)).toEqual(["", ""]);
  });

  test("are forgotten at their end", () => {
    const { send, failingTurn, state } = testSession();
    turns(3, () => failingTurn({ agent_id: "a1" }));
    expect(Object.keys(state().agents)).toEqual(["", "a1"]);
    send("SubagentStop", { agent_id: "a1" });
    expect(Object.keys(state().agents)).toEqual([""]);
  });

  test("that never end do not fill the state", () => {
    const { failingTurn, state } = testSession();
    for (let agent = 0; agent < 30; agent++) failingTurn({ agent_id: `a${agent}` });
    expect(Object.keys(state().agents)).toHaveLength(12);
    expect(Object.keys(state().agents)).toContain("a29");
  });
});

test("where the agent is observed, everything is recorded and nothing is answered", () => {
  const limits = { "run-cost": { stop: 1_000 } };
  const { failingTurn, lines } = testSession({ policy: { mode: "observe", limits }, usage: () => used(2_000) });
  expect(turns(9, failingTurn).map(parts)).toEqual(turns(9, () => "" as never));
  const levels = lines.flatMap((line) =>
    line.type === "intervention" ? [`${line.intervention.detector} ${line.intervention.level}`] : [],
  );
  expect(levels).toEqual([
    "run-cost halt",
    ...["hint", "warn", "block", "halt"].map((level) => `failing-call ${level}`),
  ]);
  const applied = lines.filter((line) => line.type === "intervention" && line.intervention.isApplied);
  expect(applied).toEqual([]);
});

describe("an event that is delivered twice", () => {
  test("is counted once, and refused both times", () => {
    const { send, lines } = testSession();
    const answers = turns(6, () => undefined as never).map((_, index) => {
      const call = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: `c${index}` };
      const before = [send("PreToolUse", call), send("PreToolUse", call)];
      const failed = { ...call, error: "Exit code 1\nError: 1 test failed" };
      if (index < 5) for (const _ of [1, 2]) send("PostToolUseFailure", failed);
      const batch = { tool_calls: [{ ...call, tool_response: "Exit code 1" }] };
      return [...before, send("PostToolBatch", batch), send("PostToolBatch", batch)].map(parts);
    });
    expect(answers).toEqual([
      ["", "", "", ""],
      ["", "", "", ""],
      ["", "", "tell", ""],
      ["", "", "tell", ""],
      ["", "", "tell", ""],
      ["deny", "deny", "", ""],
    ]);
    expect(lines.filter(({ type }) => type === "call")).toHaveLength(6);
  });

  test("is told apart from another call with the same id", () => {
    const { failingTurn } = testSession();
    const answers = turns(8, () => failingTurn({ tool_use_id: "call_0" }));
    expect(answers.map(parts)).toEqual(["", "", "tell", "tell", "tell", "deny", "deny", "deny stop"]);
  });

  test("is told apart from the same prompt a moment later", () => {
    const { send, lines } = testSession();
    send("UserPromptSubmit", { prompt: "continue" });
    send("UserPromptSubmit", { prompt: "continue" });
    expect(lines.filter(({ type }) => type === "prompt")).toHaveLength(2); // five seconds later
  });
});

describe("an agent that wants to end its work", () => {
  const reply = { last_assistant_message: "I will now run the tests and fix them.", stop_hook_active: true };

  test("is never kept from it, unless another hook makes it continue in circles", () => {
    const { send } = testSession();
    const answers = turns(8, () => send("Stop", reply));
    const said = answers.map(parts).filter(Boolean);
    expect(said).toEqual(["tell", "tell", "stop"]); // a hint, a warning, and the end, each once
    expect(send("Stop", reply)).toEqual({});
  });

  test("is left alone at its own end", () => {
    const { send } = testSession();
    const answers = turns(10, () => send("Stop", { ...reply, stop_hook_active: false }));
    expect(answers.map(parts)).toEqual(turns(10, () => "" as never));
  });

  test("is left alone while it waits for a background task", () => {
    const { send, lines } = testSession();
    const background_tasks = [{ id: "b1", type: "shell", status: "running" }];
    const answers = turns(10, () => send("Stop", { ...reply, background_tasks }));
    expect(answers.map(parts)).toEqual(turns(10, () => "" as never));
    expect(lines.filter(({ type }) => type !== "session")).toEqual([]);
  });
});

function used(costNanoUsd: number, more: Partial<SessionUsage> = {}): SessionUsage {
  const tokens = { inputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 5 };
  return { ...tokens, tokens: 15, costNanoUsd, isPriced: true, ...more };
}

/** A session of Codex: a function that sends the event of a name. */
function codexEvents(options: Pick<HookInput, "policy" | "usage">): (name: string) => HookAnswer {
  let state = initialSession;
  return (name) => {
    const call = { tool_name: "shell", tool_input: { command: "ls" }, tool_use_id: "c1" };
    const event = codexContract.read({ session_id: "s", hook_event_name: name, ...call });
    if (typeof event === "string") throw new Error(event);
    const session = { contract: codexContract, at: 1_000, attended: false, redact: (text: string) => text };
    const reaction = answerHook(state, { ...session, event, ...options });
    ({ state } = reaction);
    return reaction.answer;
  };
}

describe("money", () => {
  test("of a run ends it, and the next prompt begins another run", () => {
    let cost = 0;
    const { send, failingTurn } = testSession({
      policy: { limits: { "run-cost": { stop: 1_000 } } },
      usage: () => used(cost),
    });
    send("UserPromptSubmit", { prompt: "Go." });
    expect(parts(failingTurn())).toBe("");
    cost = 1_000;
    expect(parts(failingTurn())).toBe("deny stop");
    expect(send("UserPromptSubmit", { prompt: "Continue." })).toEqual({});
    expect(parts(failingTurn())).toBe("");
  });

  test("of a session is not released by a prompt, and the reason comes with the command that raises it", () => {
    let cost = 0;
    const { send, failingTurn } = testSession({
      policy: { limits: { "session-cost": { stop: 1_000 } } },
      usage: () => used(cost),
    });
    send("UserPromptSubmit", { prompt: "Go." });
    cost = 1_000;
    const stop = expect.stringMatching(/ To continue, raise the limit: sheepdog budget set session <dollars>$/);
    expect(failingTurn()).toMatchObject({ stop });
    expect(send("UserPromptSubmit", { prompt: "Continue." })).toEqual({ stop });
  });

  test("that is spent ends subagents too", () => {
    const { failingTurn } = testSession({
      policy: { limits: { "run-cost": { stop: 1_000 } } },
      usage: () => used(1_000),
    });
    expect(failingTurn({ agent_id: "a1" })).toMatchObject({ stop: expect.stringContaining("Sheepdog stopped") });
  });

  test("of a run is counted from its prompt, also if the totals cannot be read at a later prompt", () => {
    let usage: SessionUsage | undefined = used(5_000);
    const { send, failingTurn } = testSession({
      policy: { limits: { "run-cost": { stop: 1_000 } } },
      usage: () => usage,
    });
    send("UserPromptSubmit", { prompt: "Go." });
    usage = undefined;
    send("UserPromptSubmit", { prompt: "And the tests." });
    usage = used(5_500);
    expect(parts(failingTurn())).toBe("");
  });

  test("that cannot be counted is reported to the user, at the first event at which the agent shows it", () => {
    const answers = ["PreModelRequest", "PreToolUse", "Stop"].map(
      codexEvents({
        policy: { ...defaultPolicy, unpriced: "count-tokens", limits: { "run-cost": { stop: 1_000 } } },
        usage: used(0, { isPriced: false }),
      }),
    );
    expect(answers.map(parts)).toEqual(["", "notify", ""]);
  });

  test("of all attached agents in a day counts", () => {
    const spent = { day: "2026-11-19", dayNanoUsd: 5_000, month: "2026-11", monthNanoUsd: 5_000 };
    const { failingTurn } = testSession({
      policy: { limits: { "day-cost": { stop: 5_000 } } },
      usage: () => used(10, { spent }),
    });
    expect(parts(failingTurn())).toBe("deny stop");
  });
});

test("limits of turns, time and context are not those of an attached agent", () => {
  const limits = { turns: { stop: 2 }, time: { stop: 1_000 }, context: { stop: 1 } };
  const { send } = testSession({ policy: { limits } });
  const answers = turns(5, () => undefined as never).map((_, index) => {
    const call = { tool_name: "Read", tool_input: { file_path: `/f${index}` }, tool_use_id: `r${index}` };
    send("PreToolUse", call);
    return send("PostToolBatch", { tool_calls: [{ ...call, tool_response: `text ${index}` }] });
  });
  expect(answers.map(parts)).toEqual(["", "", "", "", ""]);
});

test("without the event for the end of a turn, turns end with their last result", () => {
  const { send } = testSession();
  const answers = turns(6, () => undefined as never).map((_, index) => {
    const call = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: `c${index}` };
    const failed = { ...call, error: "Exit code 1\nError: 1 test failed" };
    return [parts(send("PreToolUse", call)), parts(send("PostToolUseFailure", failed))];
  });
  expect(answers).toEqual([
    ["", ""],
    ["", ""],
    ["", "tell"],
    ["", "tell"],
    ["", "tell"],
    ["deny", ""],
  ]);
});

test("calls of the first turn are counted once if they run one after the other before the end of the turn", () => {
  const { send, lines } = testSession();
  const calls = ["a", "b"].map((name) => ({ tool_name: "Read", tool_input: { file_path: name }, tool_use_id: name }));
  for (const call of calls) {
    send("PreToolUse", call);
    send("PostToolUse", { ...call, tool_response: "text" });
  }
  send("PostToolBatch", { tool_calls: calls.map((call) => ({ ...call, tool_response: "text" })) });
  const types = lines.map(({ type }) => type).filter((type) => type === "call" || type === "result");
  expect(types).toEqual(["call", "result", "call", "result"]);
});

test("a call that runs although it was refused is reported", () => {
  const { send, failingTurn, lines } = testSession();
  turns(5, failingTurn);
  const call = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "x" };
  expect(parts(send("PreToolUse", call))).toBe("deny");
  send("PostToolUseFailure", { ...call, error: "Exit code 1" });
  expect(lines.filter(({ type }) => type === "problem")).toEqual([
    expect.objectContaining({ sentence: expect.stringContaining("a call to Bash was made although it was refused") }),
  ]);
});

test("calls that never ran are counted from the end of the turn", () => {
  const { send } = testSession();
  const response = "<tool_use_error>Error: No such tool available: Frobnicate</tool_use_error>";
  const answers = turns(5, () => undefined as never).map((_, index) =>
    send("PostToolBatch", {
      tool_calls: [{ tool_name: "Frobnicate", tool_input: {}, tool_use_id: `n${index}`, tool_response: response }],
    }),
  );
  expect(answers.map(parts)).toEqual(["", "", "tell", "tell", "tell"]);
});
