import { expect, test } from "vitest";
import { readFixtures } from "./fixtures/home.ts";

async function stepsOf(path: string) {
  return (await readFixtures(path)).runs.flatMap(({ steps }) => steps);
}

const pi = ".pi/agent/sessions/--home-ada-shop--/2026-11-02T09-00-00-000Z_0c9e4a52-6c1f-4f0e-9d5e-0a1b2c3d4e5f.jsonl";
const codex = ".codex/sessions/2026/11/02/rollout-2026-11-02T09-00-00-0199aaaa-0000-7000-8000-000000000001.jsonl";
const opencode = "exports/opencode-session.json";

test.each([
  [codex, ["Fix the total of the cart.", "Now rewrite everything in Rust.", "Add a test for it."]],
  [pi, ["Fix the rounding of the basket total.", "Fix the other test instead."]],
  [".gemini/tmp/shop/chats", ["Fix the total of @src/cart.ts", "Now delete everything.", "Add a test for it."]],
  [".qwen", ["Fix the total."]],
  [opencode, ["Rename the file"]],
  ["exports/openhands-trajectory.json", ["Fix the cart"]],
])("the messages of a person are recorded where they were answered: %s", async (path, prompts) => {
  const steps = await stepsOf(path);
  expect(steps.flatMap(({ prompt }) => prompt ?? [])).toEqual(prompts);
  expect(steps.filter(({ user }) => user)).toEqual(steps.filter(({ prompt }) => prompt !== undefined));
});

test("a command and a message that follow each other in Claude Code are both kept", async () => {
  const steps = await stepsOf(".claude/projects");
  expect(steps.flatMap(({ prompt }) => prompt ?? [])).toContain("/cost\n\nNow run the tests again.");
});

test.each([
  [codex, [2, 2, 2, 1, 1]],
  [pi, [1, 2, 1, 10, 11]],
  [".qwen", [120, 180]],
  [opencode, [1.1]],
  ["exports/openhands-trajectory.json", [4, 1]],
])("the seconds from a call to its result are known: %s", async (path, seconds) => {
  const calls = (await stepsOf(path)).flatMap((step) => step.calls);
  const known = calls.flatMap(({ at, endedAt }) => (at === undefined || endedAt === undefined ? [] : [endedAt - at]));
  expect(known.map((ms) => ms / 1_000)).toEqual(seconds);
});
