import { failed, ok, type Reason, type RunResult, type RuntimeOptions, type Tool } from "@sheepdog/agent";
import { type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy, type ToolKind } from "@sheepdog/guardian";
import { z } from "zod";
import { memoryStores } from "../src/stores/memory-stores.ts";
import { testRuntime } from "./test-runtime.ts";

/** The guardian counts refused answers before it compares them. */
const { "refused-answers": _, ...withoutRefusedAnswers } = defaultPolicy.detectors;

/** A run ends with each of these in its own process. Only the next process says of a run that it broke off. */
type OwnReason = Exclude<Reason, "broken_off">;

/** A run of the real loop for every reason. A reason without a run does not compile. */
export const runsByReason: Readonly<Record<OwnReason, () => Promise<RunResult>>> = {
  answered: () => run(() => ({ text: "It says hello." })),
  goal_accepted: () => withGoal(["Nearly.", "It is 42."]),
  goal_escalated: () =>
    testRuntime(
      scriptedModel([{ text: "There is no number." }], {
        judge: { text: '{"verdict":"escalate","reason":"There is none."}' },
      }),
    ).runtime.runWithGoal("ses_1", "What is it?", { text: "The number is known." }).result,
  prompt_too_long: () =>
    run(() => ({ text: "Yes." }), [], { settings: { maxContextTokens: 400 } }, "word ".repeat(2_000)),
  context_budget: () =>
    run(readTurn, [tool("read_file", "read", async ({ path }) => ok(`${path} has many words `.repeat(500)))], {
      settings: { maxContextTokens: 2_000, contextStrategy: "none" },
    }),
  token_budget: () => run(readTurn, [readFileTool], { policy: limited("run-tokens", 2_500) }),
  run_budget: () => run(readTurn, [readFileTool], { policy: limited("run-cost", 2_500), price: () => 1_000 }),
  session_budget: () => run(readTurn, [readFileTool], { policy: limited("session-cost", 2_500), price: () => 1_000 }),
  day_budget: () => run(readTurn, [readFileTool], { policy: limited("day-cost", 2_500), price: () => 1_000 }),
  month_budget: () => run(readTurn, [readFileTool], { policy: limited("month-cost", 2_500), price: () => 1_000 }),
  doom_loop: () => run(() => call("read_file", "a.ts"), [readFileTool]),
  no_progress: () =>
    run(
      (index) => call("search", `word${index} thing${index * 7}`),
      [
        tool("search", "read", async () =>
          ok(
            "Nothing was found in the whole catalogue, which has 4,112 entries in nine chapters; " +
              "try other words or another chapter.",
          ),
        ),
      ],
    ),
  tool_failures: () =>
    run(
      () => call("bash", "npm test"),
      [tool("bash", "unknown", async () => failed("Error: Cannot find module './sum.js'"))],
    ),
  side_effects: () => run(() => call("send_email", "ann"), [tool("send_email", "send", async () => ok("sent"))]),
  chant: () => run(() => ({ text: "I will look at it now. ".repeat(400) })),
  monologue: () =>
    testRuntime(
      scriptedModel([], {
        afterLast: { text: "I am going to look into it right away and come back with what I find." },
      }),
      [],
      {
        judge: { evaluate: async () => ({ type: "retry", hint: "Not yet." }) },
        policy: { ...defaultPolicy, detectors: withoutRefusedAnswers },
      },
    ).runtime.runWithGoal("ses_1", "Look into it.", { text: "It is done." }).result,
  async stall() {
    const { runtime, clock } = testRuntime(scriptedModel([], { afterLast: { fault: { type: "no-answer" } } }), [], {
      settings: { firstByteSecs: 0 },
    });
    const advancing = setInterval(() => clock.advance(60_000), 1);
    return runtime.run("ses_1", "Hello?").result.finally(() => clearInterval(advancing));
  },
  spawn_limit: () =>
    run(
      (index, text) =>
        text.includes("Go.")
          ? call("spawn", "", { task: `Count the sheep of meadow ${index}.` })
          : { text: `${index} sheep.` },
      [],
      {
        subagents: true,
      },
    ),
  denials: () =>
    run((index) => call("bash", `rm -rf /${index}`), [tool("bash", "unknown", async () => ok(""))], {
      gate: { decide: async () => denial },
    }),
  max_turns: () => run(readTurn, [readFileTool], { settings: { maxTurns: 4 } }),
  async timeout() {
    const slow = tool("read_file", "read", async () => {
      fixture.clock.advance(60_000);
      return ok(`text ${fixture.clock.now()}`);
    });
    let index = 0;
    const fixture = testRuntime(scriptedModel([], { afterLast: () => readTurn(index++) }), [slow], {
      settings: { maxDurationSecs: 150 },
    });
    return fixture.runtime.run("ses_1", "Read.").result;
  },
  provider_error: () => run(() => ({ fault: { type: "status", status: 401 } })),
  refused: () => run(() => ({ text: "I cannot help with that.", stop: "refused" })),
  async cancelled() {
    const hangs = tool("wait_for_it", "unknown", () => new Promise(() => {}));
    const started = testRuntime(scriptedModel([call("wait_for_it", "")]), [hangs]).runtime.run("ses_1", "Wait.");
    setTimeout(() => started.cancel(), 20);
    return started.result;
  },
  internal_error() {
    const stores = memoryStores();
    const commit = async () => {
      throw new Error("disk full");
    };
    return run(() => ({ text: "Hello." }), [], { stores: { ...stores, sessions: { ...stores.sessions, commit } } });
  },
};

const readFileTool = tool("read_file", "read", async ({ path }) => ok(`the text of ${path}`));
const denial = { tier: 4, decision: "deny", reason: "it deletes what is not the run's" } as const;

function tool(name: string, kind: ToolKind, act: (input: { path: string }) => ReturnType<Tool["run"]>): Tool {
  const run: Tool["run"] = (input) => act(input as { path: string }); // as the scripts here write it
  return { name, kind, description: name, input: z.looseObject({}), run };
}

function call(name: string, path: string, input: object = { path }): ScriptedTurn {
  return { calls: [{ tool: name, input }], usage: { input: 900, output: 100 } };
}

function readTurn(index: number): ScriptedTurn {
  return call("read_file", `${index}.ts`);
}

function run(
  turn: (index: number, text: string) => ScriptedTurn,
  tools: readonly Tool[] = [],
  more: Partial<RuntimeOptions> = {},
  prompt = "Go.",
): Promise<RunResult> {
  const opinion = { text: '{"verdict":"stuck"}' }; // without it, calls that are only similar end no run
  const model = scriptedModel([], { afterLast: ({ index, text }) => turn(index, text), opinion });
  return testRuntime(model, tools, { ...more, settings: { maxTurns: 60, ...more.settings } }).runtime.run(
    "ses_1",
    prompt,
  ).result;
}

function withGoal(answers: readonly string[]): Promise<RunResult> {
  const model = scriptedModel(answers.map((text) => ({ text })));
  return testRuntime(model).runtime.runWithGoal("ses_1", "What is it?", {
    text: "The number is known.",
    criteria: [{ type: "OutputContains", text: "42" }],
  }).result;
}

function limited(
  name: "run-tokens" | "run-cost" | "session-cost" | "day-cost" | "month-cost",
  stop: number,
): NonNullable<RuntimeOptions["policy"]> {
  return { ...defaultPolicy, limits: { [name]: { stop } } };
}
