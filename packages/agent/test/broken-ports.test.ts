import { createRuntime, memoryStores, type RuntimeOptions, type Stores } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { describe, expect, test } from "vitest";
import { never } from "./crashing-stores.ts";
import { calls, done, reader } from "./fault-fixture.ts";
import { testAgent } from "./test-agent.ts";
import { testRuntime } from "./test-runtime.ts";

const session = "ses_1";

type Method = { readonly port: "sessions" | "costs"; readonly method: string };
type Fault = "hangs" | "rejects" | "throws";

/** Stores of which one method fails from its `nth` call on. */
function brokenStores({ port, method }: Method, fault: Fault, nth = 1): Stores {
  const stores = memoryStores();
  let count = 0;
  const broken = new Proxy(stores[port], {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (name !== method || typeof member !== "function") return member;
      return (...args: readonly unknown[]) => {
        count += 1;
        if (count < nth) return member.apply(target, args);
        if (fault === "hangs") return never();
        if (fault === "rejects") return Promise.reject(new Error("The disk is on fire."));
        throw new Error("The disk is on fire.");
      };
    },
  });
  return { ...stores, [port]: broken };
}

/** Runs with these stores; the clock moves on until the run has ended. */
async function resultWith(stores: Stores) {
  const model = scriptedModel([calls("read", { path: "a" }), done]);
  const { runtime, clock } = testRuntime(model, [reader().tool], { stores });
  const run = runtime.run(session, "Go.");
  const advancing = setInterval(() => clock.advance(60_000), 1);
  try {
    return await run.result;
  } finally {
    clearInterval(advancing);
  }
}

const sentences: Readonly<Record<Fault, string>> = {
  hangs: "The store did not answer",
  rejects: "The disk is on fire.",
  throws: "The disk is on fire.",
};

describe("a store that fails does not keep a run from ending", () => {
  const methods: readonly (Method & { readonly nth: number })[] = [
    { port: "sessions", method: "claim", nth: 1 },
    { port: "sessions", method: "load", nth: 1 },
    { port: "sessions", method: "commit", nth: 1 },
    { port: "sessions", method: "commit", nth: 2 },
    { port: "costs", method: "totals", nth: 1 },
    { port: "costs", method: "reserve", nth: 1 },
    { port: "costs", method: "reserve", nth: 2 },
  ];
  const cases = methods.flatMap((method) =>
    (["hangs", "rejects", "throws"] as const).map((fault) => ({ ...method, fault })),
  );

  test.each(cases)("$method, call $nth, $fault: internal_error with a sentence", async ({ fault, nth, ...method }) => {
    const result = await resultWith(brokenStores(method, fault, nth));
    expect(result).toMatchObject({ reason: "internal_error", problem: expect.stringContaining(sentences[fault]) });
  });

  test.each(["hangs", "rejects", "throws"] as const)(
    "a release that %s changes nothing about the result",
    async (fault) => {
      const stores = brokenStores({ port: "sessions", method: "release" }, fault);
      expect(await resultWith(stores)).toMatchObject({ reason: "answered" });
    },
  );

  test.each(["hangs", "rejects", "throws"] as const)(
    "the next run of the session starts after a release that %s",
    async (fault) => {
      const stores = brokenStores({ port: "sessions", method: "release" }, fault);
      const { runtime, clock } = testRuntime(scriptedModel([done, done]), [], { stores });
      const advancing = setInterval(() => clock.advance(60_000), 1);
      const reasons = [
        (await runtime.run(session, "Go.").result).reason,
        (await runtime.run(session, "Go.").result).reason,
      ];
      clearInterval(advancing);
      expect(reasons).toEqual(["answered", "answered"]);
    },
  );
});

describe("44 a price function that fails", () => {
  test.each([
    [
      "throws",
      () => {
        throw new Error("no network");
      },
      "The price function failed: no network.",
    ],
    ["returns NaN", () => Number.NaN, "got NaN."],
    ["returns text", () => "12" as unknown as number, "got 12."],
    ["returns undefined", () => undefined as unknown as number, "got undefined."],
  ])("%s: the cost is unknown, which is said once", async (_, price, sentence) => {
    const agent = testAgent(scriptedModel([calls("read", { path: "a" }), done]), [reader().tool], { price });
    const result = await agent.runtime.run(session, "Go.").result;
    expect(result).toMatchObject({ reason: "answered", costNanoUsd: null });
    const problems = agent.events.flatMap((event) => (event.type === "ProviderWarning" ? [event.problem] : []));
    expect(problems).toEqual([expect.stringContaining(sentence)]);
    expect((await agent.runtime.stores.costs.rows(session)).every(({ costNanoUsd }) => costNanoUsd === null)).toBe(
      true,
    );
  });
});

describe("a judge or a guard that answers with something else than text", () => {
  const values = [undefined, null, 7, { toString: null }, ["a"]] as readonly unknown[];

  test.each(values)("a reason of %o to escalate ends the run with a sentence", async (reason) => {
    const judge = { evaluate: async () => ({ type: "escalate", reason }) } as unknown as RuntimeOptions["judge"];
    const { runtime } = testRuntime(scriptedModel([done]), [], judge === undefined ? {} : { judge });
    expect(await runtime.runWithGoal(session, "Go.", { text: "Win." }).result).toMatchObject({
      reason: "goal_escalated",
      problem: "The judge escalated without a reason.",
    });
  });

  test.each(values)("a hint of %o lets the run continue", async (hint) => {
    let count = 0;
    const judge = {
      evaluate: async () => (count++ === 0 ? { type: "retry", hint } : { type: "accept" }),
    } as unknown as RuntimeOptions["judge"];
    const { runtime } = testRuntime(scriptedModel([done, done]), [], judge === undefined ? {} : { judge });
    expect(await runtime.runWithGoal(session, "Go.", { text: "Win." }).result).toMatchObject({
      reason: "goal_accepted",
    });
  });

  test.each([7, { toString: null }, ["a"]] as readonly unknown[])(
    "a warning of %o is a failed guard",
    async (warning) => {
      const guards = [{ call: () => warning }] as unknown as NonNullable<RuntimeOptions["guards"]>;
      const agent = testAgent(scriptedModel([calls("read", { path: "a" }), done]), [reader().tool], { guards });
      expect(await agent.run()).toMatchObject({ reason: "answered" });
      expect(agent.count("GuardFailed")).toBe(1);
    },
  );
});

describe("options that cannot work are refused with a sentence", () => {
  const models = [scriptedModel([done])];

  test.each([
    [null, "Expected options with at least one model, got null."],
    [{ models: [] }, "Expected options with at least one model in `models`, got none."],
    [
      { models: ["gpt"] },
      'Expected `models[0]` to be a model of the AI SDK, with `modelId` and `doStream`, got "gpt".',
    ],
    [{ models, tools: {} }, "Expected the option `tools` to be a list, got another object."],
    [{ models, guards: () => {} }, "Expected the option `guards` to be a list"],
    [{ models, guards: [{}] }, "Expected each guard to have a function `call`, got another object."],
    [{ models, workspace: "here" }, 'Expected the option `workspace` to be an absolute path, got "here".'],
    [{ models, system: 7 }, "Expected the option `system` to be text, got 7."],
    [{ models, attended: "yes" }, 'Expected the option `attended` to be true or false, got "yes".'],
    [{ models, settings: 5 }, "Expected the option `settings` to be an object, got 5."],
    [{ models, settings: { maxTurns: -1 } }, "Expected maxTurns to be a whole number from 0 up, got -1."],
    [{ models, policy: {} }, "Expected the option `policy` to be a policy, with `limits`"],
    [{ models, gate: () => {} }, "Expected the option `gate` to be an object with the function decide"],
    [{ models, judge: {} }, "Expected the option `judge` to be an object with the function evaluate"],
    [{ models, approve: true }, "Expected the option `approve` to be a function, got true."],
    [{ models, price: 3 }, "Expected the option `price` to be a function, got 3."],
    [{ models, clock: {} }, "Expected the option `clock` to be an object with the functions now, sleep"],
    [{ models, stores: { sessions: {} } }, "Expected the option `stores` to be stores with `sessions`, `costs`"],
    [
      { models, stores: { sessions: {}, costs: {}, events: {}, memory: {} } },
      "Expected the option `stores` to be stores with `sessions`, `costs`, `events`, `memory`, `audit`, `lessons`",
    ],
    [
      { models, log: { dir: "x", level: 4 } },
      "Expected the option `log` to be a folder `dir` and a `level` of 1, 2 or 3",
    ],
    [{ models, secondOpinionModel: "x" }, "Expected the option `secondOpinionModel` to be a model"],
  ])("%j", (options, sentence) => {
    expect(() => createRuntime(options as unknown as RuntimeOptions)).toThrow(sentence);
  });
});
