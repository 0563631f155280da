import { expect, test } from "vitest";
import { createClaudeAgentGuard } from "./create-claude-agent-guard.ts";

const waiting = { background_tasks: [{ id: "b1", type: "shell", status: "running" }] };

/** The number of turns after an agent has ended its work with the same reply again and again. */
async function turnsAfterReplies(more: object): Promise<number> {
  const guard = createClaudeAgentGuard({ now: () => 1_000 });
  const reply = { session_id: "s", hook_event_name: "Stop", last_assistant_message: "I wait for the build.", ...more };
  const batch = { session_id: "s", hook_event_name: "PostToolBatch", tool_calls: [] };
  for (let turn = 0; turn < 10; turn++) {
    for (const { hooks } of guard.hooks.Stop) for (const hook of hooks) await hook(reply);
    for (const { hooks } of guard.hooks.PostToolBatch) for (const hook of hooks) await hook(batch);
  }
  return guard.guardian.snapshot().turn;
}

test("a reply while the agent waits for a background task is no turn", async () => {
  expect(await turnsAfterReplies({})).toBeGreaterThan(0);
  expect(await turnsAfterReplies(waiting)).toBe(0);
});
