import { expect, test } from "vitest";
import type { WireEvent } from "../../../contract/index.ts";
import { waitsIn } from "./waits.ts";

const event = (at: number, body: object) => ({ seq: at, at, runId: "run_1", ...body }) as unknown as WireEvent;

test("a run waits from a question to its answer", () => {
  const events = [
    event(10, { type: "QuestionAsked", question: { id: "q_1" } }),
    event(70, { type: "QuestionAnswered", questionId: "q_1", answer: "continue" }),
    event(80, { type: "ToolStart", callId: "c1", tool: "bash", input: {} }),
    event(90, { type: "ToolEnd", callId: "c1", tool: "bash" }),
    event(95, { type: "ApprovalRequested", callId: "c2" }),
  ];
  expect(waitsIn(events)).toEqual([
    { from: 10, to: 70 },
    { from: 95, to: null },
  ]);
});

test("the end of the run ends what waits", () => {
  const events = [event(10, { type: "ApprovalRequested", callId: "c1" }), event(40, { type: "RunError" })];
  expect(waitsIn(events)).toEqual([{ from: 10, to: 40 }]);
});
