import { expect, test } from "vitest";
import { firstUserText, stepsOfMessages } from "./chat-messages.ts";

test("results belong to the call with their id, otherwise to the first call without a result", () => {
  const calls = ["a", "b"].map((id) => ({ id, function: { name: `tool-${id}`, arguments: `{"x":"${id}"}` } }));
  const steps = stepsOfMessages([
    { role: "user", content: "Hello" },
    { role: "assistant", content: null, tool_calls: calls },
    { role: "tool", tool_call_id: "b", content: "of b" },
    { role: "tool", content: "of a" },
    { role: "assistant", content: [{ type: "text", content: "Done." }] },
  ]);
  expect(steps).toEqual([
    {
      text: "",
      isAfterUser: true,
      calls: [
        { id: "a", name: "tool-a", args: { x: "a" }, result: "of a", isError: false },
        { id: "b", name: "tool-b", args: { x: "b" }, result: "of b", isError: false },
      ],
    },
    { text: "Done.", isAfterUser: false, calls: [] },
  ]);
});

test("an error field and a result that begins with the word are errors; a call without a result is neither", () => {
  const calls = [1, 2, 3].map(() => ({ function: "read", args: { file: "x" } }));
  const [step] = stepsOfMessages([
    { role: "assistant", content: "", tool_calls: calls },
    { role: "tool", content: "", error: "no such file" },
    { role: "tool", content: " Error: no such file" },
  ]);
  expect(step?.calls).toMatchObject([
    { name: "read", args: { file: "x" }, result: "ERROR: no such file", isError: true },
    { result: " Error: no such file", isError: true },
    { result: "", isError: null },
  ]);
});

test("arguments that are no object become the argument input", () => {
  const calls = ["[1]", "no JSON"].map((args) => ({ name: "f", arguments: args }));
  const [step] = stepsOfMessages([{ role: "assistant", content: "", tool_calls: calls }]);
  expect(step?.calls).toMatchObject([{ args: { input: [1] } }, { args: { input: "no JSON" } }]);
});

test("the first text of the user may be in parts", () => {
  const parts = [{ text: "first" }, { content: "second" }];
  expect(
    firstUserText([
      { role: "system", content: "s" },
      { role: "user", content: parts },
    ]),
  ).toBe("first second");
});
