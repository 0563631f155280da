import type { AgentEvent, Run, RunResult } from "@sheepdog/agent";
import type { Item } from "@sheepdog/agent/timeline";
import { expect, test } from "vitest";
import { followRun } from "./follow-run.ts";

test("no item is lost when the progress is dispatched while a diff is computed", async () => {
  const path = "a.txt";
  const events = [
    { type: "ToolStart", callId: "c1", tool: "edit", input: { path, old: "one", new: "two" } },
    { type: "ToolEnd", callId: "c1", tool: "edit", status: "ok", content: "Replaced one text.", ms: 1 },
  ] as unknown as readonly AgentEvent[]; // only what is shown
  const result = { state: "completed", reason: "answered" } as unknown as RunResult; // only what is shown
  const items: Item[] = [];
  const run = {
    result: Promise.resolve(result),
    async *[Symbol.asyncIterator]() {
      yield* events;
    },
  } as unknown as Run; // only what is read
  const follower = followRun(run, (action) => void (action.type === "progress" && items.push(...action.items)));
  const flushing = setInterval(follower.flush, 0);
  await follower.result;
  clearInterval(flushing);
  expect(items.map(({ type }) => type)).toEqual(["call", "end"]);
});
