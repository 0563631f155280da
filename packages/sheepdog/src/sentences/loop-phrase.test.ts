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
