import { createGuardian, plainDigest } from "@sheepdog/guardian";
import { presets, toolGuardrailsPolicy } from "@sheepdog/guardian/presets";
import {
  blockTool,
  defaultThresholds,
  escalation,
  fresh,
  halt,
  isBlocked,
  type LoopState,
  noProgressCount,
  recordFailure,
  recordSuccess,
  type ToolThresholds,
} from "@sheepdog/guardian/seeds";
import {
  asTurns,
  call,
  fails,
  message,
  type PlayResult,
  play,
  restart,
  type ScriptStep,
  times,
} from "@sheepdog/guardian/testing";
import { describe, expect, test } from "vitest";

// Goes through the document of the tool guardrails from top to bottom: its facts, with the preset and with the small
// interface.
// The document gives no counts; 3 / 5 / 5 / 8 / 2 / 5 are the preset's.

const policy = presets["tool-guardrails"];
const NAME = "seed-tool-guardrails";
const guarded = (script: readonly ScriptStep[]): PlayResult => play(script, { policy });
const off: ToolThresholds = {
  sameToolWarn: 0,
  sameToolBlock: 0,
  sameArgsBlock: 0,
  totalHalt: 0,
  noProgressWarn: 0,
  noProgressBlock: 0,
};

/** What is kept of arguments and results. */
const print = (text: string) => plainDigest.of(text);

const bash = (i: number) => fails("bash", { command: `make part${i}` }, `make: *** no rule to make target part${i}`);
const sameBash = () => bash(0);
const works = (i = 0) => call("bash", { command: `echo ${i}` }, `${i}`);
const list = () => call("list_dir", { path: "." }, "a.ts b.ts", { kind: "read" });

/** The state after so many failures of one tool, with other arguments each time. */
function failing(count: number, tool = "bash", before: LoopState = fresh()): LoopState {
  return Array.from({ length: count }, (_, i) => i).reduce(
    (state, i) => recordFailure(state, tool, `{"n":${i}}`),
    before,
  );
}

/** The state after the same failure so many times. */
function failingAlike(count: number, before: LoopState = fresh()): LoopState {
  return Array.from({ length: count }).reduce<LoopState>((state) => recordFailure(state, "bash", "{}"), before);
}

/** The state after the same answer so many times. */
function answering(count: number, before: LoopState = fresh()): LoopState {
  return Array.from({ length: count }).reduce<LoopState>(
    (state) => recordSuccess(state, "list_dir", "{}", "a.ts b.ts"),
    before,
  );
}

describe("what it detects", () => {
  test("one tool that fails again and again", () => {
    expect(escalation(failing(3)).type).toBe("warn");
    expect(guarded(times(3, bash)).summary).toEqual([`${NAME} warn`]);
  });

  test("the same arguments tried again", () => {
    expect(escalation(failingAlike(3), { ...off, sameArgsBlock: 3 }).type).toBe("block-tool");
    expect(guarded(times(6, sameBash)).refused).toBe(1);
  });

  test("answers of idempotent tools that bring nothing new", () => {
    expect(escalation(answering(2)).type).toBe("warn");
    expect(guarded(times(2, list)).summary).toEqual([`${NAME} warn`]);
  });

  test("failures in all, whatever the tools", () => {
    const state = Array.from({ length: 8 }, (_, i) => `tool${i}`).reduce(
      (before, tool) => recordFailure(before, tool, "{}"),
      fresh(),
    );
    expect(escalation(state).type).toBe("halt-loop");
    const tools = (count: number) => times(count, (i) => fails(`tool${i}`, { n: i }, "no such host"));
    expect(guarded(tools(7)).stop).toBeUndefined();
    expect(guarded(tools(8)).stop).toMatchObject({ reason: "tool_failures" });
  });

  test("it escalates: warns, blocks the tool, halts the loop", () => {
    const played = guarded(times(20, bash));
    expect(played.summary).toEqual([`${NAME} warn`, `${NAME} block`, `${NAME} halt`]);
    expect(played.interventions.filter((each) => each.denies === undefined).map((each) => each.effect)).toEqual([
      "tell",
      "deny",
      "stop",
    ]);
    expect(played.stop).toMatchObject({ reason: "tool_failures" });
    expect([3, 5, 8].map((count) => escalation(failing(count)).type)).toEqual(["warn", "block-tool", "halt-loop"]);
  });

  test("the preset warns after the third failure and blocks after the fifth", () => {
    const { interventions } = guarded(times(5, bash));
    expect(interventions.map((each) => `${each.level} after ${each.call + 1}`)).toEqual([
      "warn after 3",
      "block after 5",
    ]);
  });
});

describe("types", () => {
  test.each([
    ["nothing to do", fresh(), { type: "none" }],
    ["warn, with a reason", failing(3), { type: "warn", reason: expect.stringMatching(/bash.*\b3\b/) }],
    [
      "block a tool, with its name and a reason",
      failing(5),
      { type: "block-tool", name: "bash", reason: expect.stringMatching(/bash.*\b5\b/) },
    ],
    ["halt the loop, with a reason", failing(8), { type: "halt-loop", reason: expect.stringMatching(/\b8\b/) }],
  ])("an escalation: %s", (_, state, expected) => {
    expect(escalation(state)).toEqual(expected);
  });

  test("a state has eight fields", () => {
    const state = halt(blockTool(failingAlike(2, failing(1, "ls", recordSuccess(fresh(), "cat", "{}", "text"))), "ls"));
    expect(state).toEqual({
      sameToolFailures: 2,
      sameArgsStreak: 2,
      totalFailures: 3,
      lastToolName: "bash",
      lastToolArgs: print("{}"),
      blockedTools: ["ls"],
      halted: true,
      recentResults: [["cat", print("{}"), print("text")]],
    });
  });
});

describe("block_tool", () => {
  test("the tool is blocked, and the given state is unchanged", () => {
    const before = fresh();
    expect(blockTool(before, "bash")).toEqual({ ...before, blockedTools: ["bash"] });
    expect(before.blockedTools).toEqual([]);
  });

  test("several can be", () => {
    const state = blockTool(blockTool(fresh(), "bash"), "ls");
    expect(["bash", "ls", "cat"].map((tool) => isBlocked(state, tool))).toEqual([true, true, false]);
  });

  test("the block hits every call of the tool and no other tool", () => {
    const guardian = createGuardian({ policy, now: () => 1 });
    const ask = (id: string, tool: string, args: unknown) => guardian.beforeCall({ id, tool, args }).allow;
    for (let i = 0; i < 5; i++) {
      expect(ask(`${i}`, "bash", { command: `make part${i}` })).toBe(true);
      guardian.afterCall(`${i}`, { status: "error", content: "no rule to make target" });
      guardian.endTurn();
    }
    expect([
      ask("a", "bash", { command: "make part0" }),
      ask("b", "bash", { command: "date" }),
      ask("c", "read_file", { path: "Makefile" }),
    ]).toEqual([false, false, true]);
    guardian.afterCall("c", { status: "ok", content: "all: build" });
    guardian.endTurn();
    expect(guardian.stop).toBeUndefined();
  });

  test.each<readonly [string, readonly ScriptStep[]]>([
    ["a few steps of other tools", times(3, (i) => call("read_file", { path: `a${i}.ts` }, `text ${i}`))],
    ["many steps of other tools", times(9, (i) => call("read_file", { path: `a${i}.ts` }, `const a${i} = ${i * 17};`))],
    ["a write that succeeds", asTurns(call("write_file", { path: "Makefile", content: "all: build" }, "written"))],
    ["a message that is not a person's", [message("automatic")]],
    ["another process", [restart]],
  ])("it lasts for the rest of the turn: past %s", (_, between) => {
    const played = guarded([...times(5, bash), ...between, ...asTurns(works())]);
    expect(played.refused).toBe(1);
  });

  test("a person's next message ends it", () => {
    const played = guarded([...times(5, bash), message(), ...asTurns(works())]);
    expect(played).toMatchObject({ refused: 0, stop: undefined });
  });
});

describe("escalation: six thresholds, one by one", () => {
  test.each<readonly [keyof ToolThresholds, (count: number) => LoopState, string]>([
    ["sameToolWarn", (count) => failing(count), "warn"],
    ["sameToolBlock", (count) => failing(count), "block-tool"],
    ["sameArgsBlock", (count) => failingAlike(count), "block-tool"],
    ["totalHalt", (count) => failing(count), "halt-loop"],
    ["noProgressWarn", (count) => answering(count), "warn"],
    ["noProgressBlock", (count) => answering(count), "block-tool"],
  ])("%s", (name, after, type) => {
    for (const threshold of [1, 2, 3, 7, 20]) {
      const thresholds = { ...off, [name]: threshold };
      const types = [threshold - 1, threshold, threshold + 1].map((count) => escalation(after(count), thresholds).type);
      expect(types).toEqual(["none", type, type]);
    }
  });

  test("equal arguments have their own threshold", () => {
    expect(escalation(failing(9), { ...off, sameArgsBlock: 2 }).type).toBe("none");
  });

  test("failures of one tool have their own threshold", () => {
    expect(escalation(failing(2, "ls", failing(2)), { ...off, sameToolWarn: 3, sameToolBlock: 3 }).type).toBe("none");
  });

  test("the strongest wins", () => {
    const all = {
      sameToolWarn: 2,
      sameToolBlock: 2,
      sameArgsBlock: 2,
      totalHalt: 2,
      noProgressWarn: 2,
      noProgressBlock: 2,
    };
    expect(escalation(failingAlike(2), all).type).toBe("halt-loop");
    expect(escalation(failingAlike(2), { ...all, totalHalt: 3 }).type).toBe("block-tool");
    expect(escalation(failingAlike(2), { ...all, totalHalt: 3, sameArgsBlock: 3, sameToolBlock: 3 }).type).toBe("warn");
  });

  test("the tool to block is the one that failed last, or answered the same", () => {
    expect(escalation(failing(5, "ls", failing(2)))).toMatchObject({ type: "block-tool", name: "ls" });
    expect(escalation(answering(5))).toMatchObject({ type: "block-tool", name: "list_dir" });
  });

  test("where no thresholds are given, those of the preset hold", () => {
    expect(defaultThresholds).toEqual({
      sameToolWarn: 3,
      sameToolBlock: 5,
      sameArgsBlock: 5,
      totalHalt: 8,
      noProgressWarn: 2,
      noProgressBlock: 5,
    });
    expect(policy).toEqual(toolGuardrailsPolicy());
  });

  test("the rungs of the preset can be set, and 0 is off", () => {
    const climbed = (settings: Parameters<typeof toolGuardrailsPolicy>[0]) =>
      play(times(20, bash), { policy: toolGuardrailsPolicy(settings) })
        .interventions.filter((each) => each.denies === undefined)
        .map((each) => `${each.level} after ${each.call + 1}`);
    expect(climbed({ warn: 2, block: 4, halt: 6 })).toEqual(["warn after 2", "block after 4", "halt after 6"]);
    expect(climbed({ warn: 6, block: 0, halt: 9 })).toEqual(["warn after 6", "halt after 9"]);
    expect(climbed({ warn: 0, block: 0 })).toEqual(["halt after 8"]);
    expect(climbed({ warn: 0, block: 0, halt: 0 })).toEqual([]);
    expect(toolGuardrailsPolicy({ halt: 20 })).toEqual({
      ...policy,
      detectors: { [NAME]: { warn: 3, block: 5, halt: 20 } },
    });
  });

  test.each([
    [{ warn: 1 }, "Expected warn to be a whole number from 2 to 32, or 0 (off), got 1."],
    [{ block: 2.5 }, "Expected block to be a whole number from 2 to 32, or 0 (off), got 2.5."],
    [{ halt: 33 }, "Expected halt to be a whole number from 2 to 32, or 0 (off), got 33."],
    [{ halt: Number.NaN }, "Expected halt to be a whole number from 2 to 32, or 0 (off), got NaN."],
  ])("rungs that no run could reach are refused: %o", (settings, why) => {
    expect(() => toolGuardrailsPolicy(settings)).toThrow(why);
  });

  test("the highest rung there may be is reached", () => {
    const failures = times(40, bash);
    expect(
      play(failures, { policy: toolGuardrailsPolicy({ warn: 0, block: 0, halt: 32 }) }).interventions.map(
        (each) => each.call + 1,
      ),
    ).toEqual([32]);
  });

  const varied = (count: number) => times(count, (i) => fails(i % 2 === 0 ? "bash" : "ls", { n: i }, "no such host"));

  test.each<readonly [string, (count: number) => readonly ScriptStep[], number, string]>([
    ["the same tool: warn at 3", (count) => times(count, bash), 3, "warn"],
    ["the same tool: block at 5", (count) => times(count, bash), 5, "block"],
    ["the same arguments: block at 5", (count) => times(count, sameBash), 5, "block"],
    ["failures in all: halt at 8", varied, 8, "halt"],
    ["the same answer: warn at 2", (count) => times(count, list), 2, "warn"],
    ["the same answer: block at 5", (count) => times(count, list), 5, "block"],
  ])("the preset, %s", (_, script, threshold, level) => {
    const said = (count: number) => guarded(script(count)).summary.includes(`${NAME} ${level}`);
    expect([said(threshold - 1), said(threshold)]).toEqual([false, true]);
  });

  test("the preset: two tools that fail together reach the total", () => {
    expect(
      guarded([...times(4, bash), ...times(4, (i) => fails("ls", { n: i }, "no such directory"))]).stop,
    ).toMatchObject({ reason: "tool_failures" });
  });
});

describe("fresh", () => {
  test("nothing has happened", () => {
    expect(fresh()).toEqual({
      sameToolFailures: 0,
      sameArgsStreak: 0,
      totalFailures: 0,
      lastToolName: "",
      lastToolArgs: "",
      blockedTools: [],
      halted: false,
      recentResults: [],
    });
    expect([escalation(fresh()), isBlocked(fresh(), "bash"), noProgressCount(fresh())]).toEqual([
      { type: "none" },
      false,
      0,
    ]);
  });
});

describe("halt", () => {
  test("the loop is halted and stays so, whatever succeeds", () => {
    const halted = halt(fresh());
    expect(halted).toEqual({ ...fresh(), halted: true });
    const states = [
      halted,
      recordSuccess(halted, "ls", "{}", "a"),
      recordFailure(halted, "ls", "{}"),
      blockTool(halted, "ls"),
      halt(halted),
    ];
    expect(states.map((state) => [state.halted, escalation(state).type])).toEqual(
      states.map(() => [true, "halt-loop"]),
    );
    expect(escalation(halted, off).type).toBe("halt-loop");
  });

  test("the preset: after the end every call of every tool is refused", () => {
    const guardian = createGuardian({ policy, now: () => 1 });
    for (let i = 0; guardian.stop === undefined && i < 20; i++) {
      if (guardian.beforeCall({ id: `${i}`, tool: "bash", args: { i } }).allow)
        guardian.afterCall(`${i}`, { status: "error", content: "no such file" });
      guardian.endTurn();
    }
    const later = ["bash", "read_file", "write_file"].map(
      (tool) => guardian.beforeCall({ id: tool, tool, args: {} }).allow,
    );
    expect([guardian.stop?.reason, ...later]).toEqual(["tool_failures", false, false, false]);
  });
});

describe("is_blocked", () => {
  test("only what was blocked is", () => {
    const state = blockTool(failing(20), "ls");
    expect(["ls", "bash", "l", "ls "].map((tool) => isBlocked(state, tool))).toEqual([true, false, false, false]);
  });
});

describe("no_progress_count", () => {
  type Answer = readonly [tool: string, args: string, result: string];
  const A: Answer = ["ls", "{}", "a"];
  test.each<readonly [string, readonly Answer[], number]>([
    ["nothing yet", [], 0],
    ["one answer", [A], 1],
    ["the same four times", [A, A, A, A], 4],
    ["another tool", [A, A, ["cat", "{}", "a"]], 1],
    ["other arguments", [A, A, ["ls", '{"all":true}', "a"]], 1],
    ["another result", [A, A, ["ls", "{}", "b"]], 1],
    ["only those at the end", [A, A, A, ["ls", "{}", "b"], A, A], 2],
  ])("%s", (_, answers, count) => {
    expect(noProgressCount(answers.reduce((state, answer) => recordSuccess(state, ...answer), fresh()))).toBe(count);
  });

  test.each<readonly [string, (i: number) => ReturnType<typeof call>]>([
    ["another result each time", (i) => call("list_dir", { path: "." }, `file${i}`, { kind: "read" })],
    ["other arguments each time", (i) => call("list_dir", { path: `dir${i}` }, "empty", { kind: "read" })],
    ["two tools in turn", (i) => call(i % 2 === 0 ? "list_dir" : "stat", { path: "." }, "a.ts", { kind: "read" })],
  ])("the preset stays silent: %s", (_, make) => {
    expect(guarded(times(12, make)).interventions).toEqual([]);
  });
});

describe("record_failure", () => {
  test("all counters go up with the same call", () => {
    expect(failingAlike(3)).toEqual({
      ...fresh(),
      sameToolFailures: 3,
      sameArgsStreak: 3,
      totalFailures: 3,
      lastToolName: "bash",
      lastToolArgs: print("{}"),
    });
  });

  test("other arguments reset their streak", () => {
    expect(recordFailure(failingAlike(3), "bash", "[]")).toMatchObject({
      sameToolFailures: 4,
      sameArgsStreak: 1,
      totalFailures: 4,
      lastToolArgs: print("[]"),
    });
  });

  test("another tool resets both streaks, and the total continues", () => {
    expect(recordFailure(failingAlike(3), "ls", "{}")).toMatchObject({
      sameToolFailures: 1,
      sameArgsStreak: 1,
      totalFailures: 4,
      lastToolName: "ls",
    });
  });

  test("it halts and blocks nothing by itself", () => {
    expect(failing(50)).toMatchObject({ halted: false, blockedTools: [] });
  });
});

describe("record_success", () => {
  test("all failure counters are zero again, whichever tool succeeded", () => {
    for (const tool of ["bash", "ls"]) expect(recordSuccess(failingAlike(7), tool, "{}")).toEqual(fresh());
  });

  test("what was blocked stays blocked", () => {
    expect(isBlocked(recordSuccess(blockTool(fresh(), "bash"), "ls", "{}", "a"), "bash")).toBe(true);
  });

  test("results are tracked for idempotent tools, and not for others", () => {
    expect(recordSuccess(fresh(), "ls", "{}", "a").recentResults).toEqual([["ls", print("{}"), print("a")]]);
    expect(recordSuccess(fresh(), "send", "{}").recentResults).toEqual([]);
  });

  test("the preset: a success between resets the count", () => {
    expect(guarded(times(10, (i) => [bash(i), bash(i + 50), works(i)])).interventions).toEqual([]);
    expect(guarded(times(10, (i) => [...[0, 1, 2, 3].map((n) => bash(10 * i + n)), works(i)])).refused).toBe(0);
  });

  test("the preset: after a success the next three failures are warned of as the first were", () => {
    expect(guarded([...times(3, bash), ...asTurns(works()), ...times(3, bash)]).summary).toEqual([
      `${NAME} warn`,
      `${NAME} warn`,
    ]);
  });

  test("the preset: equal successes of tools that act are no lack of progress", () => {
    expect(
      guarded(times(12, () => call("append_log", { line: "ok" }, "done", { kind: "mutate" }))).interventions,
    ).toEqual([]);
  });
});

// All that the document states is the guardian's.
