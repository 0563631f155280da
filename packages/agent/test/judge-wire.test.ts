import { createRuntime, type Goal, type RuntimeOptions } from "@sheepdog/agent";
import type { ScriptedTurn, WireRequest, WireServerOptions } from "@sheepdog/agent/testing";
import { describe, expect, test } from "vitest";
import { type TestProvider, testProviders } from "../src/testing/wire-server/test-providers.ts";
import { useWireServer } from "../src/testing/wire-server/use-wire-server.ts";
import { allowAll } from "./test-runtime.ts";

const startServer = useWireServer();
const goal: Goal = { text: "The sheep are counted." };
const says = (answer: object): ScriptedTurn => ({ text: JSON.stringify(answer) });

/** Runs a prompt with a goal against a server; `judge` answers the judge's questions. */
async function judged(
  provider: TestProvider,
  judge: NonNullable<WireServerOptions["judge"]>,
  options: Partial<RuntimeOptions> = {},
) {
  const server = await startServer([{ text: "Many." }], { judge, afterLast: { text: "Three." } });
  const runtime = createRuntime({ models: [provider.create(server.url)], gate: allowAll, ...options });
  const verdicts: object[] = [];
  runtime.bus.subscribe((event) => {
    if (event.type === "JudgeVerdict") verdicts.push({ verdict: event.verdict, reason: event.reason });
  });
  const result = await runtime.runWithGoal("ses_1", "Count them.", goal).result;
  return { result, verdicts, server, questions: server.judgeRequests };
}

/** What the body of a question says about the form of the answer. */
const formats: Readonly<Record<string, (body: WireRequest["body"]) => unknown>> = {
  anthropic: ({ output_config }) => output_config,
  "openai chat": ({ response_format }) => response_format,
  "openai responses": ({ text }) => text,
  google: ({ generationConfig }) => generationConfig,
  "openai-compatible": ({ response_format }) => response_format,
};

const hasVerdict = expect.objectContaining({ required: expect.arrayContaining(["verdict"]) });
const named = { name: "verdict", strict: true, schema: hasVerdict };

const expectedFormats: Readonly<Record<string, unknown>> = {
  anthropic: { format: { type: "json_schema", schema: hasVerdict } },
  "openai chat": { type: "json_schema", json_schema: named },
  "openai responses": { format: { type: "json_schema", ...named } },
  google: expect.objectContaining({ responseMimeType: "application/json", responseSchema: hasVerdict }),
  "openai-compatible": { type: "json_object" },
};

describe.each(testProviders.map((provider) => [provider.name, provider] as const))("%s", (name, provider) => {
  test("asks for structured output, and reads each verdict", async () => {
    const answers = [says({ verdict: "retry", hint: "Name the number." }), says({ verdict: "accept" })];
    const { result, verdicts, questions } = await judged(provider, ({ index }) => answers[index] ?? {});
    expect(result).toMatchObject({ reason: "goal_accepted", exitCode: 0, text: "Three." });
    expect(verdicts).toEqual([{ verdict: "retry", reason: "Name the number." }, { verdict: "accept" }]);
    expect(formats[name]?.(questions[0]?.body ?? {})).toEqual(expectedFormats[name]);
    expect(questions[0]?.body["tools"]).toBeUndefined();
  });

  test("asks again without the form if the server refuses it", async () => {
    const refused: ScriptedTurn = {
      fault: { type: "status", status: 400, message: "response_format is not supported" },
    };
    const escalates = says({ verdict: "escalate", reason: "There are no sheep." });
    const { result, questions } = await judged(provider, ({ index }) => (index === 0 ? refused : escalates));
    expect(result).toMatchObject({ reason: "goal_escalated", exitCode: 3, problem: "There are no sheep." });
    const sent = questions.map(({ body }) => JSON.stringify(formats[name]?.(body) ?? {}).includes("json"));
    expect(sent).toEqual([true, false]);
  });
});

test("a request of a turn asks for no form", async () => {
  const { server } = await judged(testProviders[1] as TestProvider, says({ verdict: "accept" }));
  expect(server.requests.map(({ body }) => body["response_format"])).toEqual([undefined]);
});

test("the judge's own model is asked at its own server", async () => {
  const [anthropic, , , google] = testProviders as readonly TestProvider[];
  if (anthropic === undefined || google === undefined) throw new Error("Expected two providers.");
  const judgeServer = await startServer([], { judge: says({ verdict: "accept" }) });
  const judgeModel = google.create(judgeServer.url);
  const { result, questions } = await judged(anthropic, says({ verdict: "escalate" }), { judgeModel });
  expect(result).toMatchObject({ reason: "goal_accepted", text: "Many." });
  expect([questions.length, judgeServer.judgeRequests.length]).toEqual([0, 1]);
});

test("a judge's server that is overloaded for a moment is asked again", async () => {
  const overloaded: ScriptedTurn = { fault: { type: "status", status: 503 } };
  const accepts = says({ verdict: "accept" });
  const { verdicts, questions } = await judged(testProviders[1] as TestProvider, ({ index }) =>
    index === 0 ? overloaded : accepts,
  );
  expect([verdicts, questions.length]).toEqual([[{ verdict: "accept" }], 2]);
});
