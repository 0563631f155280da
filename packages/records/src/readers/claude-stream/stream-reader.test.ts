import { describe, expect, test } from "vitest";
import { expectedClaudeStream } from "../../../test/fixtures/expected/claude-stream.ts";
import { fixtureLines, fixtureText } from "../../../test/fixtures/home.ts";
import { readText, readValues } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";
import { claudeStreamDocumentReader, claudeStreamReader } from "./stream-reader.ts";

const path = "logs/claude-stream.jsonl";
const session = "9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d";
const lines = fixtureText(path).trim().split("\n");

describe("output of claude in stream-json", () => {
  test("has the tokens and the dollars that its last line states", async () => {
    const { runs, skipped } = await readText(fixtureText(path));
    expect(skipped).toEqual([]);
    expect(totalsOf(runs)).toEqual(expectedClaudeStream);
  });

  test("is a run for the main thread and one for each subagent", async () => {
    const [main, subagent] = (await readText(fixtureText(path))).runs;
    expect({
      ...main,
      counting: undefined,
      steps: main?.steps.map(({ text, user, calls }) => [text, user, calls.length]),
    }).toEqual({
      id: session,
      source: "claude-code",
      project: "/home/ada/shop",
      outcome: "success",
      model: "claude-opus-4-6",
      task: "Which file holds the cart?",
      counting: undefined,
      steps: [
        ["I ask a subagent.", true, 1],
        ["The cart is in src/cart.ts.", undefined, 0],
      ],
    });
    expect(main?.steps[0]?.calls[0]).toEqual({
      name: "Agent",
      args: { description: "Find", prompt: "Find the cart.", subagent_type: "Explore" },
      result: "It is src/cart.ts.",
      isError: false,
      child: `${session}/toolu_01k1`,
      position: { line: 6 },
    });
    expect([subagent?.id, subagent?.parent, subagent?.task]).toEqual([
      `${session}/toolu_01k1`,
      session,
      "Find the cart.",
    ]);
  });

  test("the cost of each model is divided among its steps", async () => {
    const [main, subagent] = (await readText(fixtureText(path))).runs;
    const costs = (run: typeof main) => run?.steps.map(({ usage }) => Number(usage?.costUsd?.toFixed(6)));
    // weights 10 + 1.25·200 + 5·50 = 510, and 20 + 0.1·400 + 5·40 = 260 with what no other line states
    expect(costs(main)).toEqual([0.006623, 0.003377]);
    expect(costs(subagent)).toEqual([0.0005]);
  });

  test("without a last line the run has no outcome, no cost, and what the lines state", async () => {
    const { runs } = await readText(lines.slice(0, -1).join("\n"));
    expect([runs[0]?.outcome, totalsOf(runs)]).toEqual([
      undefined,
      { ...expectedClaudeStream, inputTokens: 527, cacheReadTokens: 200, outputTokens: 52, recordedUsd: 0 },
    ]);
  });

  test("steps without tokens, as gateways write them, share what only the totals state", async () => {
    const reply = (id: string, input_tokens: number) => {
      const usage = { input_tokens, output_tokens: 0 };
      const message = { id, model: "glm", role: "assistant", content: [{ type: "text", text: id }], usage };
      return { type: "assistant", session_id: session, message };
    };
    const modelUsage = { glm: { inputTokens: 120, outputTokens: 5, costUSD: 1.45 } };
    const result = { type: "result", subtype: "success", session_id: session, num_turns: 3, total_cost_usd: 1.45 };
    const stream = [reply("a", 20), reply("b", 0), reply("c", 0), reply("d", 20), { ...result, modelUsage }];
    const { runs } = await readText(stream.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect(
      runs[0]?.steps.map(({ usage }) => [usage?.inputTokens, usage?.outputTokens, usage?.costUsd?.toFixed(2)]),
    ).toEqual([
      [20, 0, "0.20"],
      [40, 2, "0.50"],
      [40, 3, "0.55"],
      [20, 0, "0.20"],
    ]);
  });

  test("a model that the totals call by another name is not counted twice", async () => {
    const { runs } = await readText(
      fixtureText(path).replace('"claude-opus-4-6[1m]"', '"us.anthropic.claude-opus-4-6"'),
    );
    expect(totalsOf(runs)).toEqual(expectedClaudeStream);
  });

  test("totals of later turns of one process include the earlier ones, and another process adds its own", async () => {
    const result = (costUsd: number) =>
      JSON.stringify({ ...JSON.parse(lines.at(-1) ?? ""), total_cost_usd: costUsd, modelUsage: {}, usage: {} });
    const text = (...costs: number[]) => [...lines.slice(0, -1), ...costs.map(result)].join("\n");
    expect(totalsOf((await readText(text(0.01, 0.03))).runs).recordedUsd).toBe(0.03);
    expect(totalsOf((await readText(text(0.03, 0.01))).runs).recordedUsd).toBe(0.04);
  });

  test("totals with models include the earlier ones only if they are as large as all lines together", async () => {
    const part = (id: string, total_cost_usd: number, inputTokens: number) => [
      {
        type: "assistant",
        session_id: session,
        message: { id, model: "m", role: "assistant", content: [], usage: { input_tokens: 1_000, output_tokens: 10 } },
      },
      {
        ...{ type: "result", subtype: "success", session_id: session, num_turns: 1, total_cost_usd },
        modelUsage: { m: { inputTokens, outputTokens: 10, costUSD: total_cost_usd } },
      },
    ];
    const usd = async (secondInput: number) =>
      totalsOf((await readValues(...part("a", 1, 1_000), ...part("b", 1.5, secondInput))).runs).recordedUsd;
    expect([await usd(2_000), await usd(1_000)]).toEqual([1.5, 2.5]);
  });

  test("an error is the outcome", async () => {
    const text = (subtype: string, isError: boolean) =>
      [...lines.slice(0, -1), JSON.stringify({ type: "result", subtype, is_error: isError, session_id: session })].join(
        "\n",
      );
    expect((await readText(text("error_max_turns", true))).runs[0]?.outcome).toBe("error_max_turns");
    expect((await readText(text("success", true))).runs[0]?.outcome).toBe("error");
  });

  test("the same messages in one list, and the last one alone, are read", async () => {
    const list = await readText(
      JSON.stringify(
        lines.map((line) => JSON.parse(line)),
        null,
        2,
      ),
    );
    expect(totalsOf(list.runs)).toEqual(expectedClaudeStream);
    expect(list.runs[0]?.steps[0]?.position).toEqual({ entry: "message 5" });
    const alone = await readText(lines.at(-1) ?? "");
    expect(totalsOf(alone.runs)).toEqual({ ...expectedClaudeStream, runs: 1, turns: 1, calls: 0 });
  });

  test("a line of unknown kind, a cut one and odd fields cost no more than themselves", async () => {
    const foreign = await readText([...lines.slice(0, 5), '{"type":"holo-deck"}', ...lines.slice(5)].join("\n"));
    expect(totalsOf(foreign.runs)).toEqual(expectedClaudeStream);
    expect(foreign.skipped.map(({ line, why }) => [line, why])).toEqual([
      [6, "lines that the reader of Claude stream-json recordings does not know were left out: holo-deck"],
    ]);
    const cut = await readText(fixtureText(path).slice(0, -300));
    expect([cut.runs.length, cut.skipped.length]).toEqual([2, 1]);
    for (const field of ["message", "content", "usage", "modelUsage", "event"])
      for (const odd of ["null", "7", "[3]"])
        await readText(fixtureText(path).replaceAll(`"${field}":`, `"${field}":${odd},"was":`));
  });
});

describe("recognizing stream-json", () => {
  test("its own lines are recognized, also when the first ones are missing", () => {
    expect(claudeStreamReader.recognizes(fixtureLines(path))).toBe(true);
    expect(claudeStreamReader.recognizes(fixtureLines(path).slice(4, 6))).toBe(true);
    expect(claudeStreamDocumentReader.recognizes(fixtureLines(path))).toBe(true);
  });

  test("other formats are not", () => {
    const message = { role: "assistant", content: [{ type: "text", text: "Hi" }] };
    const others = [
      fixtureLines(".claude/projects/-home-ada-shop/5d3c2b1a-90ab-4cde-8f01-23456789abcd.jsonl"),
      fixtureLines("logs/anthropic-messages.jsonl"),
      [{ type: "system", subtype: "init", apiKeySource: "login", cwd: "/", session_id: "1", model: "Auto" }],
      [
        { type: "assistant", message, session_id: "1" },
        { type: "tool_call", subtype: "started", session_id: "1" },
      ],
      [{ type: "thread.started", thread_id: "1" }],
      [
        { type: "init", session_id: "1", model: "gemini-3-pro" },
        { type: "result", status: "success", stats: {} },
      ],
    ];
    for (const other of others) expect(claudeStreamReader.recognizes(other)).toBe(false);
    expect(claudeStreamDocumentReader.recognizes([message])).toBe(false);
  });
});
