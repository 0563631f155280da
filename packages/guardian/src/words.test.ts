import { describe, expect, test } from "vitest";
import { defaultPolicy } from "./policy/default-policy.ts";
import { asTurns, call, fails, play, signal, spend, times } from "./testing/index.ts";

const messages = (script: Parameters<typeof play>[0]) => play(script).interventions.map((each) => each.message);

test("facts come first, then advice that fits the cause", () => {
  const [hint, warn, block, refusal] = messages(
    times(9, () => fails("bash", { command: "npm test" }, "Error: Cannot find module 'x'")),
  );
  expect(hint).toBe(
    'This exact call to "bash" has failed 3 times with the same error: "Error: Cannot find module \'x\'". ' +
      "The same call will fail again. Read the error and change what causes it, or try something else.",
  );
  expect(warn).toContain("An earlier notice about this brought no change.");
  expect(block).toContain("From now on this call is refused in every spelling until other calls have made progress.");
  expect(refusal).toMatch(/^Refused by the guardian, not run\. /);
});

test("the cost of the loop is named from the warning on", () => {
  const [hint, warn] = messages(times(5, (i) => [call("ls", { path: "." }, "a b c"), spend((i + 1) * 250_000_000)]));
  expect(hint).not.toContain("$");
  expect(warn).toContain("It has cost $0.75 so far.");
});

test("each cause gets advice of its own", () => {
  const first = (script: Parameters<typeof play>[0]) => messages(script)[0];
  expect(first(times(4, () => call("send_mail", { to: "x" }, "sent")))).toContain("It is done");
  expect(first(times(4, () => call("get_status", { id: 1 }, "running")))).toContain("Wait once");
  expect(first(times(4, () => fails("edit", { path: "a", old: "x" }, "no match for the given text")))).toContain(
    "Read the file again",
  );
  expect(first(times(4, () => fails("run", { x: 1 }, "took too long", "timeout")))).toContain("less to do at once");
  expect(
    first(times(5, (i) => fails("create", { n: `${i} is the one` }, "'when' is missing", "invalid-arguments"))),
  ).toContain("the arguments the tool takes");
});

describe("a message names the tools that it is about", () => {
  const edit = (tool: string, text: string) =>
    fails(
      tool,
      { path: "src/app.ts", text: `export const ${text} of the application` },
      "the text was not found in the file",
    );

  test("failures of several tools", () => {
    const [hint] = messages(
      asTurns([edit("Edit", "name"), edit("Edit", "menu"), edit("MultiEdit", "title"), edit("Write", "pages")]),
    );
    expect(hint).toBe(
      '"Edit", "MultiEdit" and "Write" have failed 4 times with the same error, whatever the arguments were: ' +
        '"the text was not found in the file". ' +
        "Read the file again before you edit it: its text is not what you expect.",
    );
  });

  test("failures of one tool", () => {
    const [hint] = messages(times(4, (i) => edit("Edit", `part${i}`)));
    expect(hint).toMatch(/^(?:Nearly the same call to )?"Edit" has failed /);
  });

  test("failures of more than three tools", () => {
    const tools = ["a", "b", "c", "d", "e"];
    const [warn] = messages(times(20, (i) => fails(`tool_${tools[i % 5]}`, { n: `${i}` }, `no such thing: ${i}x${i}`)));
    expect(warn).toContain('"tool_a", "tool_b" and 3 other tools');
  });

  test("similar calls are counted in full: each of them was made", () => {
    const search = (i: number) =>
      call(
        "search",
        { query: `retry policy of the client ${"abcdefgh"[i]}` },
        "No results were found for these words.",
      );
    const [hint] = messages(times(8, search));
    expect(hint).toMatch(/^Nearly the same call to "search" has been made \d times|^\d calls to "search"/);
    const { interventions } = play(times(8, search));
    expect(hint).toContain(String((interventions[0]?.call ?? 0) + 1));
  });
});

test.each([
  ["day-cost", "The runs of today have used $0.90 of $1.00 (90 %)."],
  ["month-cost", "The runs of this month have used $0.90 of $1.00 (90 %)."],
  ["session-cost", "This session has used $0.90 of $1.00 (90 %)."],
] as const)("the budget %s", (limit, sentence) => {
  const policy = { ...defaultPolicy, limits: { [limit]: { warn: 8e8, stop: 1e9 } } };
  const { interventions } = play([signal({ type: "usage", used: { [limit]: 9e8 }, isPriced: true })], { policy });
  expect(interventions.map(({ message }) => message)).toEqual([expect.stringContaining(sentence)]);
});

test("an amount just above its limit is shown with enough digits to differ from it", () => {
  const policy = { ...defaultPolicy, limits: { "run-cost": { stop: 1e8 } } };
  const [intervention] = play([spend(1.037e8)], { policy }).interventions;
  expect(intervention?.message).toContain("This run has used $0.104 of $0.10 (103 %).");
});

test("a warning without a limit is called a warning", () => {
  const policy = { ...defaultPolicy, limits: { "run-cost": { warn: 8e8 } } };
  const [intervention] = play([spend(9e8)], { policy }).interventions;
  expect(intervention?.message).toContain("This run has used $0.90. A warning was set at $0.80.");
});
