import { defaultPolicy, type Policy } from "@sheepdog/guardian";
import {
  answerHook,
  contractOf,
  type HookAnswer,
  readSessionState,
  type SessionState,
  type SessionUsage,
  type SpoolLine,
} from "../src/hooks/index.ts";

type Input = Readonly<Record<string, unknown>>;

export interface TestSession {
  /** Sends one event in the words of Claude Code. */
  send(name: string, input?: Input): HookAnswer;
  /** A call that fails: its refusal, or the answers to its result and to the end of its turn. */
  failingTurn(input?: Input): HookAnswer;
  readonly lines: readonly SpoolLine[];
  state(): SessionState;
}

export interface TestSessionOptions {
  readonly policy?: Partial<Policy>;
  readonly attended?: boolean;
  /** Read at every event. */
  readonly usage?: () => SessionUsage | undefined;
}

const claudeCode = contractOf("claude-code");

/** A session of Claude Code whose state goes through JSON between events, as it does between processes. */
export function testSession({ policy = {}, attended = false, usage }: TestSessionOptions = {}): TestSession {
  const lines: SpoolLine[] = [];
  let state = readSessionState(undefined);
  let at = 1_000_000;
  let calls = 0;

  function send(name: string, input: Input = {}): HookAnswer {
    if (claudeCode === undefined) throw new Error("There is no contract of Claude Code.");
    const event = claudeCode.read({ session_id: "s", cwd: "/work", hook_event_name: name, ...input });
    if (typeof event === "string") throw new Error(event);
    at += 5_000;
    const used = usage?.();
    const reaction = answerHook(readSessionState(JSON.parse(JSON.stringify(state))), {
      contract: claudeCode,
      event,
      at,
      policy: { ...defaultPolicy, ...policy },
      attended,
      redact: (text) => text,
      ...(used === undefined ? {} : { usage: used }),
    });
    ({ state } = reaction);
    lines.push(...reaction.lines);
    return reaction.answer;
  }

  return {
    send,
    failingTurn(input = {}) {
      const call = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: `c${calls++}`, ...input };
      const before = send("PreToolUse", call);
      if (before.deny === undefined)
        send("PostToolUseFailure", { ...call, error: "Exit code 1\nError: 1 test failed" });
      const end = send("PostToolBatch", {
        ...input,
        tool_calls: [{ ...call, tool_response: before.deny ?? "Exit code 1\nError: 1 test failed" }],
      });
      return { ...end, ...before };
    },
    lines,
    state: () => state,
  };
}
