import { expect, test } from "vitest";
import { readFinishReason } from "./finish-reason.ts";

const finish = (unified: unknown, raw: unknown) => ({ type: "finish", finishReason: { unified, raw } });

test.each([
  [finish("stop", "end_turn"), false, "end"],
  [finish("tool-calls", "tool_use"), true, "calls"],
  [finish("tool-calls", undefined), true, "calls"],
  [finish("stop", "stop"), true, "calls"],
  [finish("tool-calls", "tool_calls"), false, "end"],
  [finish("length", "max_tokens"), true, "length"],
  [finish("content-filter", "refusal"), false, "refused"],
  [finish("error", "MALFORMED_FUNCTION_CALL"), false, "failed"],
  [finish("other", "weird"), false, "end"],
  [finish("other", "weird"), true, "calls"],
  [finish("other", undefined), true, "incomplete"],
  [finish(undefined, undefined), false, "incomplete"],
  [{ type: "finish" }, false, "incomplete"],
  [{ type: "finish", finishReason: "stop" }, false, "end"],
] as const)("%j with calls: %j is %s", (part, hasCalls, expected) => {
  expect(readFinishReason(part, hasCalls)).toBe(expected);
});
