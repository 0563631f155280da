import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RecordedRun } from "../src/index.ts";
import { withoutCopies } from "../src/index.ts";
import { createHermesSession } from "../src/readers/hermes/hermes-session.ts";
import { createOpenhandsConversation } from "../src/readers/openhands/openhands-conversation.ts";
import { openhandsRequests } from "../src/readers/openhands/openhands-usage.ts";
import { readText } from "./read-text.ts";

/**
 * The number of calls, and which result belongs to which call, are the same whatever the ids of a recording are: models
 * repeat ids, and people mask them before they share a recording.
 */

interface Call {
  readonly name: string;
  readonly args: { readonly path: string };
  readonly result: string;
}

/** The replies of a session, each with its calls. Equal calls may follow each other. */
type Session = readonly (readonly Call[])[];

/** Ids of calls and of replies, as they stand in a recording. */
interface Ids {
  call(turn: number, index: number): string | undefined;
  reply(turn: number): string | undefined;
}

const modes = {
  unique: (turn: number, index: number) => `call_${turn}_${index}`,
  "repeated in each reply": (_: number, index: number) => `call_${index}`,
  masked: () => "REDACTED",
  missing: () => undefined,
} as const;
type Mode = keyof typeof modes;
const allModes = Object.keys(modes) as readonly Mode[]; // the keys of a constant

const text = (value: unknown) => JSON.stringify(value);
const jsonl = (values: readonly object[]) => values.map((value) => `${text(value)}\n`).join("");
const at = (turn: number) => 1_793_610_000_000 + turn * 10_000;
const iso = (turn: number) => new Date(at(turn)).toISOString();
/** The input of each reply; larger than that of the one before, as in every conversation. */
const input = (turn: number) => 1_000 + turn * 10;
const OUTPUT = 5;

/** The lines of each turn, behind a prompt. */
function turns<T>(session: Session, each: (calls: readonly Call[], turn: number) => readonly T[]): readonly T[] {
  return session.flatMap(each);
}

interface Format {
  /** The runs of a recording of this session. */
  read(session: Session, ids: Ids): Promise<readonly RecordedRun[]>;
  /** Whether a recording states the usage of each reply. */
  readonly hasUsage?: false;
  /** Ids without which the format is not recognized. */
  readonly needs?: "call ids" | "reply ids";
  /** Equal calls at once with one id are several hooks about one call. */
  readonly mergesEqualCalls?: true;
  /** Calls besides those of the session. */
  readonly extraCalls?: number;
}

const file = (write: (session: Session, ids: Ids) => string): Pick<Format, "read"> => ({
  read: async (session, ids) => (await readText(write(session, ids))).runs,
});

const anthropicUsage = (turn: number) => ({ input_tokens: input(turn), output_tokens: OUTPUT });
const toolUse = (ids: Ids, turn: number) => (call: Call, index: number) => ({
  ...{ type: "tool_use", id: ids.call(turn, index), name: call.name, input: call.args },
});
const toolResult = (ids: Ids, turn: number) => (call: Call, index: number) => ({
  ...{ type: "tool_result", tool_use_id: ids.call(turn, index), content: call.result },
});
const chatCall = (ids: Ids, turn: number) => (call: Call, index: number) => ({
  ...{ id: ids.call(turn, index), type: "function", function: { name: call.name, arguments: text(call.args) } },
});

/** A line for each block of a reply, and one for each result, as Claude Code writes them. */
const claudeLines = (session: Session, ids: Ids, frame: object) =>
  turns<object>(session, (calls, turn) => [
    ...calls.map((call, index) => ({
      ...{ ...frame, type: "assistant", uuid: `a${turn}-${index}`, timestamp: iso(turn) },
      message: {
        ...{ id: ids.reply(turn), role: "assistant", model: "claude-opus-4-6", usage: anthropicUsage(turn) },
        content: [toolUse(ids, turn)(call, index)],
      },
    })),
    ...calls.map((call, index) => ({
      ...{ ...frame, type: "user", uuid: `u${turn}-${index}`, timestamp: iso(turn) },
      message: { role: "user", content: [toolResult(ids, turn)(call, index)] },
    })),
  ]);

const formats: Readonly<Record<string, Format>> = {
  "claude-code": file((session, ids) => {
    const frame = { sessionId: "s", isSidechain: false, parentUuid: null, cwd: "/p" };
    return jsonl(claudeLines(session, ids, frame));
  }),
  "claude-stream": file((session, ids) =>
    jsonl([
      { type: "system", subtype: "init", cwd: "/p", session_id: "s", tools: [], model: "claude-opus-4-6" },
      ...claudeLines(session, ids, { session_id: "s", parent_tool_use_id: null }),
    ]),
  ),
  "anthropic messages": {
    hasUsage: false,
    ...file((session, ids) =>
      text({
        model: "claude-opus-4-6",
        messages: [
          { role: "user", content: "Begin." },
          ...turns<object>(session, (calls, turn) => [
            { role: "assistant", content: calls.map(toolUse(ids, turn)) },
            { role: "user", content: calls.map(toolResult(ids, turn)) },
          ]),
        ],
      }),
    ),
  },
  "openai chat": file((session, ids) =>
    text([
      { role: "user", content: "Begin." },
      ...turns<object>(session, (calls, turn) => [
        {
          ...{ role: "assistant", content: "", id: ids.reply(turn) },
          usage: { prompt_tokens: input(turn), completion_tokens: OUTPUT },
          tool_calls: calls.map(chatCall(ids, turn)),
        },
        ...calls.map((call, index) => ({ role: "tool", tool_call_id: ids.call(turn, index), content: call.result })),
      ]),
    ]),
  ),
  "openai responses": {
    hasUsage: false,
    needs: "call ids",
    ...file((session, ids) =>
      text({
        input: [
          { role: "user", content: "Begin." },
          ...turns<object>(session, (calls, turn) => [
            ...calls.map((call, index) => ({
              ...{ type: "function_call", call_id: ids.call(turn, index), name: call.name, arguments: text(call.args) },
            })),
            ...calls.map((call, index) => ({
              ...{ type: "function_call_output", call_id: ids.call(turn, index), output: call.result },
            })),
          ]),
        ],
      }),
    ),
  },
  codex: file((session, ids) => {
    const line = (turn: number, type: string, payload: object) => ({ timestamp: iso(turn), type, payload });
    const tokens = (turn: number) => ({
      input_tokens: input(turn),
      output_tokens: OUTPUT,
      total_tokens: input(turn) + 5,
    });
    return jsonl([
      line(0, "session_meta", {
        id: "t",
        cwd: "/p",
        originator: "codex_cli_rs",
        cli_version: "0.150.0",
        source: "cli",
      }),
      line(0, "event_msg", { type: "user_message", message: "Begin." }),
      ...turns<object>(session, (calls, turn) => [
        ...calls.map((call, index) =>
          line(turn, "response_item", {
            ...{ type: "function_call", call_id: ids.call(turn, index), name: call.name, arguments: text(call.args) },
          }),
        ),
        line(turn, "event_msg", { type: "token_count", info: { last_token_usage: tokens(turn) } }),
        ...calls.map((call, index) =>
          line(turn, "response_item", {
            ...{ type: "function_call_output", call_id: ids.call(turn, index), output: call.result },
          }),
        ),
      ]),
    ]);
  }),
  "codex exec": {
    hasUsage: false,
    ...file((session, ids) => {
      const item = (turn: number, index: number, { name, args }: Call, more: object) => ({
        ...{ id: ids.call(turn, index), type: "mcp_tool_call", server: "s", tool: name, arguments: args, ...more },
      });
      return jsonl([
        { type: "thread.started", thread_id: "t" },
        { type: "turn.started" },
        ...turns<object>(session, (calls, turn) => [
          { type: "item.completed", item: { id: `r${turn}`, type: "reasoning", text: "…" } },
          ...calls.map((call, index) => ({ type: "item.started", item: item(turn, index, call, {}) })),
          ...calls.map((call, index) => {
            const result = { status: "completed", result: { content: call.result } };
            return { type: "item.completed", item: item(turn, index, call, result) };
          }),
        ]),
      ]);
    }),
  },
  "gemini-cli": {
    needs: "reply ids",
    ...file((session, ids) =>
      jsonl([
        { sessionId: "s", projectHash: "p", startTime: iso(0), lastUpdated: iso(0), kind: "main" },
        ...turns<object>(session, (calls, turn) => {
          const toolCalls = calls.map((call, index) => {
            const id = ids.call(turn, index);
            const functionResponse = { id, name: call.name, response: { output: call.result } };
            return { id, name: call.name, args: call.args, status: "success", result: [{ functionResponse }] };
          });
          const tokens = {
            input: input(turn),
            output: OUTPUT,
            cached: 0,
            thoughts: 0,
            tool: 0,
            total: input(turn) + 5,
          };
          const message = {
            id: ids.reply(turn),
            timestamp: iso(turn),
            type: "gemini",
            content: "Look.",
            model: "g",
            tokens,
          };
          return [message, { ...message, toolCalls }]; // the later state of a message replaces the one before
        }),
      ]),
    ),
  },
  "gemini-cli checkpoint": {
    hasUsage: false,
    extraCalls: 1,
    ...file((session, ids) =>
      text({
        toolCall: { name: session.at(-1)?.at(-1)?.name ?? "none", args: {} },
        clientHistory: [
          { role: "user", parts: [{ text: "Begin." }] },
          ...turns<object>(session, (calls, turn) => [
            {
              role: "model",
              parts: calls.map(({ name, args }, index) => ({
                functionCall: { id: ids.call(turn, index), name, args },
              })),
            },
            { role: "user", parts: functionResponses(calls, turn, ids) },
          ]),
          // the call that is about to run is in the history
          { role: "model", parts: [{ functionCall: { name: session.at(-1)?.at(-1)?.name ?? "none", args: {} } }] },
        ],
      }),
    ),
  },
  "qwen-code": file((session, ids) => {
    const record = (turn: number, type: string, more: object) => ({
      ...{ uuid: `${type}${turn}`, parentUuid: null, sessionId: "s", timestamp: iso(turn), type, cwd: "/p", ...more },
    });
    return jsonl(
      turns<object>(session, (calls, turn) => [
        record(turn, "assistant", {
          model: "q",
          message: {
            role: "model",
            parts: calls.map(({ name, args }, index) => ({ functionCall: { id: ids.call(turn, index), name, args } })),
          },
          usageMetadata: {
            promptTokenCount: input(turn),
            candidatesTokenCount: OUTPUT,
            totalTokenCount: input(turn) + 5,
          },
        }),
        ...functionResponses(calls, turn, ids).map((part) =>
          record(turn, "tool_result", {
            message: { role: "user", parts: [part] },
            toolCallResult: { status: "success" },
          }),
        ),
      ]),
    );
  }),
  opencode: file((session, ids) =>
    text({
      info: { id: "ses_1", projectID: "global", directory: "/p" },
      messages: [
        { info: { id: "msg_0", role: "user", time: { created: at(0) } }, parts: [{ type: "text", text: "Begin." }] },
        ...turns<object>(session, (calls, turn) => [
          {
            info: {
              ...{
                id: ids.reply(turn),
                role: "assistant",
                modelID: "m",
                time: { created: at(turn), completed: at(turn) },
              },
              tokens: { input: input(turn), output: OUTPUT, reasoning: 0, cache: { read: 0, write: 0 } },
            },
            parts: calls.map((call, index) => ({
              ...{ id: ids.call(turn, index), callID: ids.call(turn, index), type: "tool", tool: call.name },
              state: { status: "completed", input: call.args, output: call.result, metadata: {} },
            })),
          },
        ]),
      ],
    }),
  ),
  pi: file((session, ids) =>
    jsonl([
      { type: "session", version: 3, id: "s", timestamp: iso(0), cwd: "/p" },
      ...turns<object>(session, (calls, turn) => {
        const usage = { input: input(turn), output: OUTPUT, cacheRead: 0, cacheWrite: 0, totalTokens: input(turn) + 5 };
        const message = (more: object) => ({
          type: "message",
          id: ids.reply(turn),
          timestamp: iso(turn),
          message: more,
        });
        return [
          message({
            ...{
              role: "assistant",
              model: "m",
              provider: "p",
              responseId: ids.reply(turn),
              usage,
              timestamp: at(turn),
            },
            content: calls.map(({ name, args }, index) => ({
              ...{ type: "toolCall", id: ids.call(turn, index), name, arguments: args },
            })),
          }),
          ...calls.map((call, index) =>
            message({
              ...{ role: "toolResult", toolCallId: ids.call(turn, index), toolName: call.name, isError: false },
              content: [{ type: "text", text: call.result }],
            }),
          ),
        ];
      }),
    ]),
  ),
  goose: {
    hasUsage: false,
    ...file((session, ids) =>
      jsonl([
        { working_dir: "/p", description: "d", message_count: 1 },
        ...turns<object>(session, (calls, turn) => [
          {
            ...{ id: ids.reply(turn), role: "assistant", created: at(turn) / 1_000 },
            content: calls.map((call, index) => ({
              ...{ type: "toolRequest", id: ids.call(turn, index) },
              toolCall: { status: "success", value: { name: call.name, arguments: call.args } },
            })),
          },
          {
            ...{ id: ids.reply(turn), role: "user", created: at(turn) / 1_000 },
            content: calls.map((call, index) => ({
              ...{ type: "toolResponse", id: ids.call(turn, index) },
              toolResult: { status: "success", value: [{ type: "text", text: call.result }] },
            })),
          },
        ]),
      ]),
    ),
  },
  hermes: {
    hasUsage: false,
    async read(session, ids) {
      const info = { id: "s", parent: undefined, isAutomatic: false, directory: "/p", model: "m", provider: "p" };
      const hermes = createHermesSession(info);
      for (const [turn, calls] of session.entries()) {
        const tool_calls = calls.map(chatCall(ids, turn));
        hermes.message({ role: "assistant", content: "", timestamp: at(turn), tool_calls }, `message ${turn}`);
        for (const [index, call] of calls.entries()) {
          const timestamp = at(turn) + index; // rows have the time at which they were written
          const row = { role: "tool", tool_call_id: ids.call(turn, index), content: call.result, timestamp };
          hermes.message(row, `message ${turn} ${index}`);
        }
      }
      return [hermes.run(undefined)].filter((run) => run !== undefined);
    },
  },
  openhands: {
    async read(session, ids) {
      const usages = session.map((_, turn) => ({
        ...{ model: "m", prompt_tokens: input(turn), completion_tokens: OUTPUT, response_id: ids.reply(turn) },
      }));
      const named = new Set(session.flatMap((_, turn) => ids.reply(turn) ?? []));
      const requests = openhandsRequests({ agent: { token_usages: usages } }, named);
      const conversation = createOpenhandsConversation({ id: "c", state: {}, requests });
      for (const [turn, calls] of session.entries()) {
        for (const [index, call] of calls.entries()) {
          const id = ids.call(turn, index);
          const own = { id, tool_call_id: id, tool_name: call.name, llm_response_id: ids.reply(turn) };
          conversation.event(
            { ...own, kind: "ActionEvent", thought: [], action: { ...call.args, kind: "Action" } },
            {},
          );
        }
        for (const [index, call] of calls.entries()) {
          const id = ids.call(turn, index);
          const observation = { content: [{ type: "text", text: call.result }], kind: "Observation" };
          conversation.event({ kind: "ObservationEvent", action_id: id, tool_call_id: id, observation }, {});
        }
      }
      return [conversation.run()].filter((run) => run !== undefined);
    },
  },
  "openhands trajectory": file((session, ids) =>
    text(
      turns<object>(session, (calls, turn) => {
        const model_response = {
          ...{ id: ids.reply(turn), model: "m", usage: { prompt_tokens: input(turn), completion_tokens: OUTPUT } },
          choices: [{ message: { role: "assistant", content: "", tool_calls: calls.map(chatCall(ids, turn)) } }],
        };
        return calls.flatMap((call, index) => {
          const event = { id: ids.call(turn, index), timestamp: iso(turn) };
          const metadata = { function_name: call.name, tool_call_id: ids.call(turn, index), model_response };
          return [
            { ...event, source: "agent", action: "run", tool_call_metadata: metadata, args: {} },
            {
              ...{ ...event, source: "agent", cause: ids.call(turn, index), observation: "run", content: call.result },
              ...{ tool_call_metadata: metadata, extras: {} },
            },
          ];
        });
      }),
    ),
  ),
  opentelemetry: file((session, ids) => {
    const span = (turn: number, offset: number, spanId: string, name: string, attributes: object) => ({
      ...{ traceId: "t", spanId, name, startTime: [at(turn) / 1_000 + offset, 0], attributes, status: { code: 0 } },
    });
    return jsonl(
      turns<object>(session, (calls, turn) => [
        span(turn, 0, `r${turn}`, "chat m", {
          ...{ "gen_ai.operation.name": "chat", "gen_ai.response.id": ids.reply(turn) },
          ...{ "gen_ai.usage.input_tokens": input(turn), "gen_ai.usage.output_tokens": OUTPUT },
        }),
        ...calls.map((call, index) =>
          span(turn, index + 1, `c${turn}-${index}`, `execute_tool ${call.name}`, {
            ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": call.name },
            "gen_ai.tool.call.id": ids.call(turn, index),
            "gen_ai.tool.call.arguments": text(call.args),
            "gen_ai.tool.call.result": call.result,
          }),
        ),
      ]),
    );
  }),
  "opentelemetry without spans of calls": {
    hasUsage: false,
    ...file((session, ids) => {
      const history: object[] = [];
      const spans = [...session, []].map((calls, turn) => {
        const asked = calls.map((call, index) => ({
          ...{ type: "tool_call", id: ids.call(turn, index), name: call.name, arguments: call.args },
        }));
        const attributes = {
          "gen_ai.operation.name": "chat",
          "gen_ai.input.messages": text(history),
          "gen_ai.output.messages": text([{ role: "assistant", parts: [...asked, { type: "text", content: "…" }] }]),
        };
        const answers = calls.map((call, index) => ({
          ...{ type: "tool_call_response", id: ids.call(turn, index), response: call.result },
        }));
        history.push({ role: "assistant", parts: asked }, { role: "tool", parts: answers });
        return { traceId: "t", spanId: `${turn}`, name: "chat m", startTime: [at(turn) / 1_000, 0], attributes };
      });
      return jsonl(spans);
    }),
  },
  sheepdog: {
    needs: "call ids",
    ...file((session, ids) => {
      let seq = 0;
      const event = (type: string, turn: number, more: object) => ({
        ...{ type, at: at(turn), seq: seq++, sessionId: "ses_1", runId: "run_1", ...more },
      });
      return jsonl([
        event("RunStarted", 0, { prompt: "Begin.", model: "m", provider: "p" }),
        ...turns<object>(session, (calls, turn) => [
          event("TurnStarted", turn, { turn }),
          event("UsageUpdate", turn, { usage: { input: input(turn), cacheRead: 0, cacheWrite: 0, output: OUTPUT } }),
          ...calls.map(({ name, args }, index) =>
            event("ToolStart", turn, { callId: ids.call(turn, index), tool: name, input: args }),
          ),
          ...calls.map(({ name, result }, index) =>
            event("ToolEnd", turn, { callId: ids.call(turn, index), tool: name, status: "ok", content: result }),
          ),
          event("TurnComplete", turn, {
            reply: {
              text: "",
              calls: calls.map(({ name, args }, index) => ({
                ...{ callId: ids.call(turn, index), tool: name, input: args, status: "ok" },
              })),
            },
          }),
        ]),
      ]);
    }),
  },
  "sheepdog hooks": {
    hasUsage: false,
    mergesEqualCalls: true,
    needs: "call ids",
    ...file((session, ids) =>
      jsonl([
        { at: at(0), type: "session", version: 1, agent: "claude-code", session: "s", cwd: "/p", mode: "guide" },
        ...turns<object>(session, (calls, turn) => [
          ...calls.map(({ name, args }, index) => ({
            ...{ at: at(turn), type: "call", id: ids.call(turn, index), tool: name, args },
          })),
          ...calls.map(({ result }, index) => ({
            ...{ at: at(turn), type: "result", id: ids.call(turn, index), status: "ok", content: result },
          })),
          { at: at(turn), type: "turn-end" },
        ]),
      ]),
    ),
  },
};

function functionResponses(calls: readonly Call[], turn: number, ids: Ids): readonly object[] {
  return calls.map(({ name, result }, index) => ({
    functionResponse: { id: ids.call(turn, index), name, response: { output: result } },
  }));
}

const anyCall = fc.record({
  name: fc.constantFrom("read", "grep"),
  args: fc.record({ path: fc.constantFrom("a", "b") }),
  result: fc.constantFrom("one", "two", "three", "four"),
});
const anySession = fc.array(fc.array(anyCall, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 });

function hasEqualCalls(calls: readonly Call[]): boolean {
  return new Set(calls.map(({ name, args }) => text([name, args]))).size < calls.length;
}

/** The calls of a run as a session has them; formats name tools and keep results in their ways. */
function callsOf(runs: readonly RecordedRun[]): readonly unknown[] {
  return runs.flatMap(({ steps }) =>
    steps.flatMap(({ calls }) => calls.map(({ name, args, result }) => [name, args, result])),
  );
}

describe.each(Object.entries(formats))("a recording of %s", (_, { read, hasUsage = true, needs, ...format }) => {
  const sessions = anySession.filter((session) => !format.mergesEqualCalls || !session.some(hasEqualCalls));
  const modesOfCalls = allModes.filter((mode) => mode !== "missing" || needs !== "call ids");
  const modesOfReplies = allModes.filter((mode) => mode !== "missing" || needs !== "reply ids");
  const cases = modesOfCalls.flatMap((calls) => modesOfReplies.map((replies) => [calls, replies] as const));

  test.each(cases)("has all its calls and usage, with ids of calls %s and of replies %s", async (calls, replies) => {
    const unique: Ids = { call: modes.unique, reply: (turn) => `reply_${turn}` };
    const ids: Ids = { call: modes[calls], reply: (turn) => modes[replies](turn, turn % 2) };
    await fc.assert(
      fc.asyncProperty(sessions, async (session) => {
        const runs = await read(session, ids);
        expect(callsOf(runs)).toEqual(callsOf(await read(session, unique)));
        expect(callsOf(runs)).toHaveLength(session.flat().length + (format.extraCalls ?? 0));
        const usages = runs.flatMap(({ steps }) => steps.flatMap(({ usage }) => usage?.inputTokens ?? []));
        const inputs = hasUsage ? session.map((__, turn) => input(turn)) : [];
        expect(usages.reduce((sum, tokens) => sum + tokens, 0)).toBe(inputs.reduce((sum, tokens) => sum + tokens, 0));
      }),
      { numRuns: 20 },
    );
  });
});

test("a request id that several replies of a run have makes none of them a copy of another recording", () => {
  const step = (turn: number, request: string) => ({
    turn,
    text: "",
    usage: { inputTokens: turn, request },
    calls: [],
  });
  const run: RecordedRun = { id: "r", steps: [step(0, "REDACTED"), step(1, "REDACTED"), step(2, "req_2")] };
  expect(withoutCopies(run, () => true).steps.map(({ usage }) => usage?.inputTokens)).toEqual([0, 1]);
});
