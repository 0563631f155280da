import { CallRefusedError, createAiSdkGuard } from "@sheepdog/integrations/ai-sdk";
import { describe, expect, test } from "vitest";
import type { Reply } from "./scripted-model.ts";
import { type AiSdk, versions } from "./versions.ts";

/** What works without the guard works with it in the same way. */
describe.each(versions)("$name", ({ isInstalled, load, model }) => {
  test.skipIf(!isInstalled)("parallel calls run at the same time and keep their results", async () => {
    const sdk = await load();
    let [running, most] = [0, 0];
    const read = sdk.tool({
      inputSchema: sdk.jsonSchema<{ path: string }>({ type: "object" }),
      async execute({ path }) {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return `content of ${path}`;
      },
    });
    const calls = ["a", "b", "c"].map((path) => ({ tool: "read", input: { path } }));
    const { result } = await guarded(sdk, model([calls]).model, { read });
    expect(most).toBe(3);
    expect(result.steps[0]?.toolResults.map(({ output }) => output)).toEqual(
      ["a", "b", "c"].map((path) => `content of ${path}`),
    );
  });

  test.skipIf(!isInstalled)(
    "a tool that streams its outputs streams them, and is refused like the others",
    async () => {
      const sdk = await load();
      let calls = 0;
      const search = sdk.tool({
        inputSchema: sdk.jsonSchema<{ query: string }>({ type: "object" }),
        async *execute(): AsyncGenerator<{ found: number }> {
          calls += 1;
          yield { found: 0 };
          yield { found: 1 };
        },
      });
      const replies: Reply[] = Array.from({ length: 20 }, () => [{ tool: "search", input: { query: "x" } }]);
      const guard = createAiSdkGuard({ now: () => 1_000 });
      const result = sdk.streamText(
        guard.settings({
          model: model(replies).model,
          tools: { search },
          stopWhen: sdk.stepCountIs(20),
          prompt: "Go.",
        }),
      );
      const outputs: unknown[] = [];
      for await (const part of result.fullStream)
        if (part.type === "tool-result") outputs.push([part.output, part.preliminary === true]);
      expect(outputs.slice(0, 3)).toEqual([
        [{ found: 0 }, true],
        [{ found: 1 }, true],
        [{ found: 1 }, false],
      ]);
      expect(calls).toBe(5);
      expect(guard.stop?.reason).toBe("doom_loop");
    },
  );

  test.skipIf(!isInstalled)("a refusal is an error of the tool, which programs can tell from others", async () => {
    const sdk = await load();
    const fail = sdk.tool({
      inputSchema: sdk.jsonSchema({ type: "object" }),
      execute: (): Promise<string> => Promise.reject("no"),
    });
    const replies: Reply[] = Array.from({ length: 20 }, () => [{ tool: "fail", input: {} }]);
    const { result } = await guarded(sdk, model(replies).model, { fail });
    const errors = result.steps.flatMap(({ content }) => content.filter(({ type }) => type === "tool-error"));
    expect(errors.map((part) => "error" in part && part.error instanceof CallRefusedError)).toEqual([
      ...[false, false, false, false, false],
      ...[true, true, true],
    ]);
    expect(errors[0]).toMatchObject({ error: "no" });
  });

  test.skipIf(!isInstalled)("an aborted run rejects as before, and its call is no failure", async () => {
    const sdk = await load();
    const controller = new AbortController();
    const wait = sdk.tool({
      inputSchema: sdk.jsonSchema({ type: "object" }),
      execute: (_, { abortSignal }) =>
        new Promise((_, reject) => {
          abortSignal?.addEventListener("abort", () => reject(abortSignal.reason));
          controller.abort(new Error("enough"));
        }),
    });
    const guard = createAiSdkGuard();
    const settings = { model: model([[{ tool: "wait", input: {} }]]).model, tools: { wait }, prompt: "Go." };
    const stopWhen = sdk.stepCountIs(20);
    const run = sdk.generateText({ ...guard.settings({ ...settings, stopWhen }), abortSignal: controller.signal });
    await expect(run).rejects.toThrow("enough");
    expect(guard.snapshot().guardian).toMatchObject({ history: [{ outcome: { status: "interrupted" } }] });
  });

  test.skipIf(!isInstalled)("a tool that needs an approval waits for it, and runs once after it", async () => {
    const sdk = await load();
    const executed: string[] = [];
    const send = sdk.tool({
      inputSchema: sdk.jsonSchema<{ to: string }>({ type: "object" }),
      needsApproval: true,
      async execute({ to }) {
        executed.push(to);
        return "sent";
      },
    });
    const scripted = model([[{ tool: "send", input: { to: "ann" } }]]);
    const guard = createAiSdkGuard({ now: () => 1_000 });
    const prompt = { role: "user" as const, content: "Send it." };
    const settings = guard.settings({ model: scripted.model, tools: { send }, stopWhen: sdk.stepCountIs(20) });
    const asked = await sdk.generateText({ ...settings, messages: [prompt] });
    expect(executed).toEqual([]);
    const request = asked.content.find(({ type }) => type === "tool-approval-request");
    const approvalId = request !== undefined && "approvalId" in request ? request.approvalId : "";
    const approval = { type: "tool-approval-response" as const, approvalId, approved: true };
    const messages = [prompt, ...asked.response.messages, { role: "tool" as const, content: [approval] }];
    const answered = await sdk.generateText({ ...settings, messages });
    expect(executed).toEqual(["ann"]);
    expect(answered.text).toBe("Done.");
  });

  test.skipIf(!isInstalled)("a tool without execute ends the run with its call", async () => {
    const sdk = await load();
    // Under the compiler's strictest options the AI SDK's own types refuse a tool without execute.
    const ask = sdk.tool({ inputSchema: sdk.jsonSchema({ type: "object" }) }) as { inputSchema: never; execute: never };
    const guard = createAiSdkGuard();
    const scripted = model([[{ tool: "ask", input: { question: "?" } }]]);
    const result = await sdk.generateText(
      guard.settings({ model: scripted.model, tools: { ask }, stopWhen: sdk.stepCountIs(20), prompt: "Go." }),
    );
    expect(result.steps).toHaveLength(1);
    expect(result.toolCalls).toHaveLength(1);
    expect(guard.stop).toBeUndefined();
  });

  test.skipIf(!isInstalled)("calls of an unknown tool are seen", async () => {
    const sdk = await load();
    const read = sdk.tool({ inputSchema: sdk.jsonSchema({ type: "object" }), execute: () => "content" });
    const scripted = model(Array.from({ length: 20 }, () => [{ tool: "raed", input: { path: "a" } }]));
    const { result, guard } = await guarded(sdk, scripted.model, { read });
    expect(JSON.stringify(scripted.prompts.at(3)?.at(-1))).toContain("e1/hint");
    expect(guard.stop?.reason).toBe("tool_failures");
    expect(result.steps).toHaveLength(8);
  });

  test.skipIf(!isInstalled)("the functions of the program are called, and their changes kept", async () => {
    const sdk = await load();
    const scripted = model([[{ tool: "read", input: {} }]]);
    const read = sdk.tool({ inputSchema: sdk.jsonSchema({ type: "object" }), execute: () => "content" });
    const seen: string[] = [];
    const guard = createAiSdkGuard();
    await sdk.generateText(
      guard.settings({
        model: scripted.model,
        tools: { read },
        stopWhen: [sdk.stepCountIs(20)],
        prompt: "Go.",
        prepareStep: ({ stepNumber, messages }) => {
          seen.push(`prepare ${stepNumber}`);
          return { messages: [...messages, { role: "user" as const, content: `step ${stepNumber}` }] };
        },
        onStepFinish: ({ text }) => {
          seen.push(`finish ${text}`);
        },
      }),
    );
    expect(seen).toEqual(["prepare 0", "finish ", "prepare 1", "finish Done."]);
    expect(scripted.prompts.map((prompt) => JSON.stringify(prompt.at(-1)?.content))).toEqual([
      expect.stringContaining("step 0"),
      expect.stringContaining("step 1"),
    ]);
  });

  test.skipIf(!isInstalled)("a tool that is guarded twice counts each call once", async () => {
    const sdk = await load();
    const read = sdk.tool({ inputSchema: sdk.jsonSchema({ type: "object" }), execute: () => "content" });
    const guard = createAiSdkGuard({ now: () => 1_000 });
    const tools = guard.tools({ read });
    await sdk.generateText(
      guard.settings({
        model: model([[{ tool: "read", input: {} }]]).model,
        tools,
        stopWhen: sdk.stepCountIs(20),
        prompt: "Go.",
      }),
    );
    expect(guard.snapshot().guardian).toMatchObject({ callCount: 1 });
  });
});

test("fields of a tool that cannot be seen, and `this`, are kept", () => {
  class Counter {
    #calls = 0;
    execute() {
      this.#calls += 1;
      return this.#calls;
    }
  }
  const tool = Object.defineProperty(new Counter(), "hidden", { value: 1 });
  const { counter } = createAiSdkGuard().tools({ counter: tool });
  expect(Reflect.get(counter, "hidden")).toBe(1);
  expect(counter).toBeInstanceOf(Counter);
  expect(Reflect.apply(counter.execute, counter, [{}, { toolCallId: "c" }])).toBe(1);
});

type Settings = Parameters<AiSdk["generateText"]>[0];

async function guarded(sdk: AiSdk, model: Settings["model"], tools: NonNullable<Settings["tools"]>) {
  const guard = createAiSdkGuard({ now: () => 1_000 });
  const result = await sdk.generateText(guard.settings({ model, tools, stopWhen: sdk.stepCountIs(20), prompt: "Go." }));
  return { result, guard };
}
