import { initialSession } from "@sheepdog/integrations/hooks";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { withRecordedResults } from "./recorded-results.ts";

const scratch = scratchFolder();

const agent = { guardian: undefined, isTurnOpen: true, tells: [], questions: {} };
const calls = { call_1: "open", call_2: "done", call_3: "open" } as const;
const state = { ...initialSession, agents: { "": { ...agent, calls } } };
const turnEnd = { name: "PreModelRequest", session: "s", type: "turn-end", results: [] } as const;

function output(type: string, id: string, text: unknown): string {
  return JSON.stringify({ type: "response_item", payload: { type, call_id: id, output: text } });
}

test("open calls get the results that were recorded for them", async () => {
  const image = [{ type: "input_text", text: "no such image" }];
  const recording = await scratch(
    "rollout.jsonl",
    [
      '{"cut off by the beginning of the tail": "_call_output',
      output("function_call_output", "call_0", "of an earlier turn"),
      output("custom_tool_call_output", "call_1", "apply_patch verification failed"),
      output("function_call_output", "call_2", "reported by a hook"),
      output("function_call_output", "call_3", image),
      "",
    ].join("\n"),
  );
  const call = (id: string) => ({ id, tool: "", args: undefined });
  expect(withRecordedResults({ ...turnEnd, recording }, state)).toEqual({
    ...turnEnd,
    recording,
    results: [
      { call: call("call_1"), status: "error", content: "apply_patch verification failed" },
      { call: call("call_3"), status: "error", content: image },
    ],
  });
});

test("without open calls, a recording, or the end of a turn nothing is read", async () => {
  const missing = { ...turnEnd, recording: await scratch("missing.jsonl") };
  expect(withRecordedResults(missing, state)).toEqual({ ...missing, results: [] });
  expect(withRecordedResults(missing, initialSession)).toBe(missing);
  const prompt = { ...missing, type: "prompt", text: "", origin: "person" } as const;
  expect(withRecordedResults(prompt, state)).toBe(prompt);
});
