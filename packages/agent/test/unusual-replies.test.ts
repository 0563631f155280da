import type { Model } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { describe, expect, test } from "vitest";
import { calls, done, longText, reader } from "./fault-fixture.ts";
import { type TestAgent, testAgent } from "./test-agent.ts";

const warnings = ({ events }: TestAgent) =>
  events.flatMap((event) =>
    event.type === "ProviderWarning" ? [{ severity: event.severity, text: event.problem }] : [],
  );

/** A model that returns whole replies only. */
function generatingModel(doStream: unknown): Model & { readonly generated: unknown[] } {
  const generated: unknown[] = [];
  const usage = { inputTokens: { total: 9 }, outputTokens: { total: 3 } };
  const replies = [
    {
      content: [
        { type: "reasoning", text: "First I look." },
        { type: "text", text: "I look." },
        { type: "tool-call", toolCallId: "c1", toolName: "read", input: '{"path":"a"}' },
      ],
      finishReason: { unified: "tool-calls", raw: "tool_calls" },
      usage,
    },
    { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop", raw: "stop" }, usage },
  ];
  return {
    specificationVersion: "v3",
    provider: "test",
    modelId: "whole",
    supportedUrls: {},
    generated,
    ...(doStream === undefined ? {} : { doStream }),
    doGenerate: async (call: unknown) => {
      generated.push(call);
      return { ...replies[generated.length - 1], warnings: [] };
    },
  } as unknown as Model & { readonly generated: unknown[] }; // without doStream it is no complete model, on purpose
}

const refuseToStream = async () => {
  throw new Error("Streaming is not supported by this model.");
};
const failIfStreamed = async () => {
  throw new Error("It was asked to stream.");
};

test.each([
  ["has no doStream", undefined, {}],
  ["says that it cannot stream", refuseToStream, {}],
  ["is configured with stream = false", failIfStreamed, { stream: false }],
])("a model that %s works through doGenerate", async (_, doStream, settings) => {
  const model = generatingModel(doStream);
  const { tool: read, paths } = reader();
  const agent = testAgent([model], [read], { settings });
  expect(await agent.run()).toMatchObject({ reason: "answered", text: "Done.", usage: { input: 18, output: 6 } });
  expect(paths).toEqual(["a"]);
  expect(model.generated).toHaveLength(2);
  const texts = agent.events.flatMap((event) => (event.type === "TextDelta" ? [event.text] : []));
  expect(texts.join("")).toBe("I look.Done.");
  expect(agent.count("StreamEnd")).toBe(2);
});

test("a stream without a terminal part is a warning, and the reply is asked for again", async () => {
  const agent = testAgent(scriptedModel([{ text: longText, fault: { type: "eof", after: 3 } }, done]));
  expect((await agent.run()).reason).toBe("answered");
  expect(warnings(agent)).toEqual([
    { severity: "warning", text: "The provider's stream ended without saying that it is complete." },
  ]);
});

test("every stream has exactly one end, also one without a terminal part and one that breaks", async () => {
  const turns = [
    { text: longText, fault: { type: "eof", after: 3 } },
    { text: longText, fault: { type: "reset", after: 3 } },
    done,
  ] as const;
  const agent = testAgent(scriptedModel(turns));
  expect((await agent.run()).reason).toBe("answered");
  const ends = agent.events.flatMap((event) => (event.type === "StreamEnd" ? [event.isComplete] : []));
  expect(ends).toEqual([false, false, true]);
});

test("a reply that ignores its limit is cut off, reported, and not continued", async () => {
  const text = Array.from({ length: 9_000 }, (_, index) => `sheep ${index * 7} is here`).join("; ");
  const model = scriptedModel([{ text }, done]);
  const agent = testAgent(model, [], { settings: { maxOutputTokens: 1_000 } });
  const result = await agent.run();
  expect(result).toMatchObject({ reason: "provider_error", exitCode: 7 });
  expect(result.problem).toContain("the model's reply ignored its limit of output tokens and was cut off");
  expect(model.requests).toHaveLength(1);
  expect(warnings(agent)).toEqual([
    {
      severity: "warning",
      text: expect.stringMatching(
        /^The model ignored its limit of 1,000 output tokens: .* cut off after 32,\d{3} char/,
      ),
    },
  ]);
});

test("every continuation of a reply that reached its maximum length is reported", async () => {
  const half = { text: "Half an", stop: "length" } as const;
  const agent = testAgent(scriptedModel([half, half, { text: " answer." }, calls("read", {})]));
  expect(await agent.run()).toMatchObject({ reason: "answered", text: "Half anHalf an answer." });
  expect(warnings(agent).map(({ text }) => text)).toEqual([
    "The reply reached its maximum length; the model is asked to continue it (1 of 2).",
    "The reply reached its maximum length; the model is asked to continue it (2 of 2).",
  ]);
});

describe("46 a stream far beyond its limit", () => {
  const endless = { text: longWords(40_000) };

  test("is ended with a sentence that says what to set, and the run can be resumed", async () => {
    const model = scriptedModel([endless, { text: "Short now." }]);
    const agent = testAgent(model, [], { settings: { maxOutputTokens: 1_000 } });
    const result = await agent.run();
    expect(result).toMatchObject({
      reason: "provider_error",
      problem:
        "the model's reply ignored its limit of output tokens and was cut off; " +
        "raise model.max_output_tokens (now 1000), or use another model",
    });
    const resumed = await agent.runtime.resume(result.sessionId);
    expect(await resumed.result).toMatchObject({ reason: "answered", text: "Short now." });
  });

  test("is read to its end with the limit that the sentence asks for", async () => {
    const agent = testAgent(scriptedModel([endless]), [], { settings: { maxOutputTokens: 16_000 } });
    expect(await agent.run()).toMatchObject({ reason: "answered" });
  });
});

/** Text without repetition of this many characters. */
function longWords(characters: number): string {
  let text = "";
  for (let index = 0; text.length < characters; index += 1) text += `sheep${(index * 7919) % 100_003} `;
  return text;
}
