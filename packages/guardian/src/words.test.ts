import { expect, test } from "vitest";
import { call, fails, play, spend, times } from "./testing/index.ts";

const messages = (script: Parameters<typeof play>[0]) => play(script).interventions.map((each) => each.message);

test("facts come first, then advice that fits the cause", () => {
  const [hint, warn, block, refusal] = messages(
    times(9, () => fails("bash", { command: "npm test" }, "Error: Cannot find module 'x'")),
  );
  expect(hint).toBe(
    'This exact call to "bash" has failed 3 times with the same error: "Error: Cannot find module \'x\'". ' +
      "Unchanged it will fail again: read the error, change what causes it, or take another way.",
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
