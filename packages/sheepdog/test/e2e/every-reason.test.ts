import { outcomes, type Reason } from "@sheepdog/agent";
import type { ScriptedTurn, WireRequest } from "@sheepdog/agent/testing";
import { describe, expect, type TestContext, test } from "vitest";
import { createSandbox, isBuilt, type ProcessResult, type Sandbox } from "./sandbox.ts";

/** A run ends with each of these in its own process. Only the next process says of a run that it broke off. */
type OwnReason = Exclude<Reason, "broken_off">;

/** A run of the real binary for each reason that ends a run. A missing reason does not compile. */
const runs: Readonly<Record<OwnReason, (test: TestContext) => Promise<ProcessResult>>> = {
  answered: (test) => ask(test, () => ({ text: "It says hello." })),
  goal_accepted: (test) => ask(test, (index) => ({ text: index === 0 ? "Nearly." : "It is 42." }), ["--expect", "42"]),
  goal_escalated: (test) =>
    ask(test, () => ({ text: "It is 41." }), ["--goal", "It is 42.", ...set("agent.judge.max_cost_share=0")]),
  prompt_too_long: (test) =>
    ask(test, () => ({ text: "Yes." }), [...set("agent.max_context_tokens=4000"), "word ".repeat(6_000)]),
  context_budget: (test) =>
    ask(test, (index) => call("bash", { command: `seq ${index * 5_000} ${index * 5_000 + 4_000}` }), [
      ...set("agent.max_context_tokens=8000", "agent.context_strategy=none"),
    ]),
  token_budget: (test) => ask(test, reading, ["--max-run-tokens", "2500"]),
  run_budget: (test) => ask(test, reading, ["--max-cost", "$0.025", ...expensive]),
  session_budget: (test) => ask(test, reading, [...set("budget.per_session_limit_cents=2.5"), ...expensive]),
  day_budget: (test) => ask(test, reading, [...set("budget.per_day_limit_cents=2.5"), ...expensive]),
  month_budget: (test) => ask(test, reading, [...set("budget.monthly_limit_cents=2.5"), ...expensive]),
  doom_loop: (test) => ask(test, () => call("read", { path: "0.txt" })),
  no_progress: (test) => ask(test, (index) => call("bash", { command: `${readers[index % readers.length]} book.txt` })),
  tool_failures: (test) => ask(test, () => call("bash", { command: "cat gone.txt" })),
  side_effects: (test) => ask(test, () => call("write", { path: "note.txt", content: "hello" })),
  chant: (test) => ask(test, () => ({ text: "I will look at it now. ".repeat(400) })),
  monologue: (test) =>
    ask(
      test,
      () => ({ text: "I am going to look into it right away and come back with what I find.", stop: "length" }),
      set("agent.guardrails.max_tokens_recoveries=20"),
    ),
  stall: (test) => ask(test, () => ({ fault: { type: "no-answer" } }), set("agent.guardian.stall_timeout_secs=1")),
  spawn_limit: (test) =>
    ask(test, (index, text) =>
      text.includes("Go.")
        ? call("spawn", { task: `Count the sheep of meadow ${index}.` })
        : { text: `${index} sheep.` },
    ),
  denials: (test) => ask(test, (index) => call("bash", { command: `rm -rf /tmp/sheepdog-nowhere-${index}` })),
  max_turns: (test) => ask(test, reading, ["--max-turns", "3"]),
  timeout: (test) => ask(test, (index) => ({ ...reading(index), delayMs: 600 }), ["--max-time", "1s"]),
  provider_error: (test) => ask(test, () => ({ fault: { type: "status", status: 401 } })),
  refused: (test) => ask(test, () => ({ text: "I cannot help with that.", stop: "refused" })),
  async cancelled(test) {
    const { start } = await setUp(test, () => call("bash", { command: "sleep 60" }));
    const running = start([...baseArgs, "--stream-json", "Go."]);
    await running.says('"ToolStart"');
    running.child.kill("SIGINT");
    const { out, ...ended } = await running.ended;
    return { ...ended, out: out.trimEnd().split("\n").at(-1) ?? "" };
  },
  // A limit on the file size makes writes fail, like a full disk.
  internal_error: (test) =>
    ask(test, (index) => call("bash", { command: `head -c 12000 /dev/urandom | base64; echo ${index}` }), [], {
      shell: "trap '' XFSZ; ulimit -f 900; exec \"$@\"",
    }),
};

describe.skipIf(!isBuilt).concurrent("the binary ends with the reason", () => {
  test.for(Object.keys(runs) as OwnReason[])("%s", async (reason, context) => {
    const { code, out, err } = await runs[reason](context);
    const document = JSON.parse(out) as Record<string, unknown>;
    expect(document, err).toMatchObject({ schemaVersion: 1, reason, ...outcomes[reason] });
    expect(code).toBe(outcomes[reason].exitCode);
  });
});

const baseArgs = ["run", "--max-turns", "60"];
/** Overrides the price of the model: 1,000 dollars for a million tokens. */
const expensive = set('budget.pricing_overrides={"claude-sonnet-5":{"input":1000,"output":1000}}');
/** Programs that print the file as it is. */
const readers = [
  "cat",
  "sort -u",
  "grep -iE 'catalogue|chapter'",
  "head -n 7",
  "uniq",
  "sed -n 1,9p",
  "tail -c 900",
  "cut -c1-800",
  "tac",
  "awk 1",
  "fold -w 700",
  "nl -b n -w 1 -s ''",
];

function set(...settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ["--set", setting]);
}

function call(tool: string, input: object): ScriptedTurn {
  return { calls: [{ tool, input }], usage: { input: 900, output: 100 } };
}

function reading(index: number): ScriptedTurn {
  return call("read", { path: `${index}.txt` });
}

async function setUp(test: TestContext, turn: (index: number, text: string) => ScriptedTurn): Promise<Sandbox> {
  const opinion = { text: '{"verdict":"stuck"}' }; // without it, calls that are only similar end no run
  const sandbox = await createSandbox(test, [], ({ index, text }: WireRequest) => turn(index, text), { opinion });
  for (let index = 0; index < 8; index++) await sandbox.file(`${index}.txt`, `This is page ${index} of the book.\n`);
  await sandbox.file(
    "book.txt",
    "Nothing was found in the whole catalogue, which has 4,112 entries in nine chapters; " +
      "try other words or another chapter.\n",
  );
  return sandbox;
}

async function ask(
  test: TestContext,
  turn: (index: number, text: string) => ScriptedTurn,
  args: readonly string[] = [],
  options: Parameters<Sandbox["run"]>[1] = {},
): Promise<ProcessResult> {
  const { run } = await setUp(test, turn);
  return run([...baseArgs, "--json", ...args, "Go."], options);
}
