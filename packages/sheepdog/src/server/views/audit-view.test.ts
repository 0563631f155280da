import { dirname } from "node:path";
import { auditPageSchema, auditQuerySchema, memoryPageSchema } from "@sheepdog/web/contract";
import { afterEach, expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome, type TestHome } from "../../../test/test-home.ts";
import { testViewContext } from "../../../test/view-context.ts";
import { auditView } from "./audit-view.ts";
import { memoryView } from "./memory-view.ts";

const file = scratchFolder();
let opened: TestHome | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

test("decisions are listed newest first, of one run or of one kind", async () => {
  opened = await openTestHome(dirname(await file("home/x")));
  const { stores } = opened;
  const echo = { calls: [{ tool: "echo", input: { text: "a" } }] };
  const first = await opened.runPrompt("ses_1", "Say a.", [echo, { text: "Done." }]);
  await opened.runPrompt("ses_2", "Say a.", [echo, { text: "Done." }], {
    gate: { decide: async () => ({ tier: 4, decision: "deny", reason: "Not today." }) },
  });
  const page = async (query: Record<string, unknown>) =>
    auditPageSchema.parse(await auditView({ stores }, auditQuerySchema.parse(query))).entries;
  expect(await page({ run: first.runId })).toEqual([
    {
      id: expect.any(String),
      at: expect.any(Number),
      runId: first.runId,
      sessionId: "ses_1",
      tool: "echo",
      input: expect.stringContaining("a"),
      by: "gate",
      tier: 0,
      decision: "allow",
      reason: "a test",
      answer: null,
      outcome: expect.any(String),
    },
  ]);
  expect((await page({ decision: "deny" })).map(({ reason, tier }) => [reason, tier])).toEqual([["Not today", 4]]);
  expect((await page({})).map(({ sessionId }) => sessionId)).toEqual(["ses_2", "ses_1"]);
  expect(await page({ run: "unknown" })).toEqual([]);
});

test("facts and lessons are listed newest first", async () => {
  opened = await openTestHome(dirname(await file("home/x")));
  const { stores, home } = opened;
  await stores.memory.write({ at: 1, text: "Tests run with make.", tags: ["tests"] });
  await stores.memory.write({ at: 2, text: "The port is 80.", tags: [] });
  const page = memoryPageSchema.parse(await memoryView(testViewContext({ home, stores })));
  expect(page).toEqual({
    facts: [
      { id: expect.any(String), at: 2, text: "The port is 80.", tags: [] },
      { id: expect.any(String), at: 1, text: "Tests run with make.", tags: ["tests"] },
    ],
    lessons: [],
  });
});
