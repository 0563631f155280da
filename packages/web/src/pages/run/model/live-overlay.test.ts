import { expect, test } from "vitest";
import { createLiveOverlay } from "./live-overlay.ts";
import { eventBuilder } from "./testing/event-builder.ts";

function started() {
  const run = eventBuilder("run_1", 1_000);
  const overlay = createLiveOverlay();
  const live = (...bodies: Parameters<typeof run.emit>[0][]) => {
    for (const body of bodies) {
      run.emit(body);
      const event = run.events.at(-1);
      if (event !== undefined) overlay.addLive(event, 0);
    }
  };
  return { run, overlay, live };
}

test("streaming text and running calls with the end of their output are shown", () => {
  const { overlay, live } = started();
  live(
    { type: "TextDelta", text: "I run " },
    { type: "TextDelta", text: "the tests." },
    { type: "ToolStart", callId: "c1", tool: "bash", input: { command: "npm test" } },
    { type: "ToolOutput", callId: "c1", text: "PASS a\n" },
    { type: "ToolOutput", callId: "c1", text: "PASS b\n" },
  );
  const { text, calls } = overlay.state;
  expect([text, calls.map((call) => [call.text, call.output, call.status])]).toEqual([
    "I run the tests.",
    [["npm test", "PASS a\nPASS b\n", null]],
  ]);
});

test("saved events replace what was live", () => {
  const { run, overlay, live } = started();
  live({ type: "TextDelta", text: "I run." }, { type: "ToolStart", callId: "c1", tool: "bash", input: {} });
  run.emit({ type: "StreamEnd", isComplete: true });
  run.emit({ type: "ToolEnd", callId: "c1", tool: "bash", status: "ok", content: "", ms: 1 });
  for (const event of run.events.slice(-2)) overlay.addSaved(event);
  expect(overlay.state).toEqual({ text: "", thinking: "", writingCallTo: null, calls: [] });
});

test("a call that ended but is not saved yet says how", () => {
  const { overlay, live } = started();
  live(
    { type: "ToolStart", callId: "c1", tool: "bash", input: {} },
    { type: "ToolEnd", callId: "c1", tool: "bash", status: "ok", content: "", ms: 1 },
  );
  expect(overlay.state.calls.map(({ status }) => status)).toEqual(["ok"]);
});

test("live events that are older than the saved ones are left out", () => {
  const { run, overlay } = started();
  run.emit({ type: "TextDelta", text: "Old." });
  for (const event of run.events) overlay.addLive(event, 10);
  expect(overlay.state.text).toBe("");
});
