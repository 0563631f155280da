import { expect, test } from "vitest";
import { loopPhrase, type RepeatedCalls } from "./loop-phrase.ts";
import { plainSentence } from "./say.ts";

function phrase(detector: RepeatedCalls["detector"], ...inputs: readonly object[]): string {
  const calls = inputs.map((input, index) => ({ id: String(index), tool: "Bash", input }));
  return plainSentence(loopPhrase({ detector, calls, times: 5, tool: "Bash" }));
}

test("a call that is repeated has its own words", () => {
  const command = "grep -r total .";
  const inputs = [
    { command, description: "Find the total" },
    { command, description: "Find the total again" },
  ];
  expect([phrase("doom-loop", ...inputs), phrase("failing-call", ...inputs)]).toEqual([
    "grep -r total . was repeated 5 times with the same result",
    "grep -r total . failed 5 times the same way",
  ]);
});

test("calls that differ are similar calls, not one that was repeated", () => {
  const inputs = [{ command: "grep -r total ." }, { command: "grep -r sum ." }];
  expect([
    phrase("doom-loop", ...inputs),
    phrase("failing-call", ...inputs),
    phrase("side-effect-repeat", ...inputs),
  ]).toEqual([
    "5 similar calls brought the same result, such as grep -r total .",
    "5 similar calls failed the same way, such as grep -r total .",
    "5 similar changes were made, such as grep -r total .",
  ]);
});

test("calls to several tools are not blamed on one of them", () => {
  const of = (detector: RepeatedCalls["detector"], ...tools: readonly string[]) => {
    const calls = tools.map((tool, index) => ({ id: String(index), tool, input: { path: `${index}.ts` } }));
    return plainSentence(loopPhrase({ detector, calls, times: 5, tool: "Write" }));
  };
  expect([
    of("failing-tool", "Write", "Write"),
    of("failing-tool", "Edit", "Write"),
    of("failing-tool", "Edit", "Edit", "MultiEdit", "Write"),
    of("no-progress", "Write"),
    of("no-progress", "Grep", "Read"),
  ]).toEqual([
    "Write failed 5 times with the same error",
    "5 calls to Edit and Write failed",
    "5 calls to Edit and 2 other tools failed",
    "5 calls to Write brought nothing new",
    "5 calls to Grep and Read brought nothing new",
  ]);
});
