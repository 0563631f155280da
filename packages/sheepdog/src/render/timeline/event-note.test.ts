import type { AgentEvent } from "@sheepdog/agent";
import { createLiveItems, type Item } from "@sheepdog/agent/timeline";
import { expect, test } from "vitest";
import { styleFor } from "../terminal/style.ts";
import { repeatedItemLines } from "./item-lines.ts";
import { isSameItem } from "./same-item.ts";

const style = styleFor({ write: () => undefined }, {});
const source = { runId: "r", sessionId: "s", seq: 0 };

function noteOf(event: AgentEvent): Item {
  const [note] = createLiveItems().add(event);
  if (note === undefined) throw new Error(`Expected a note about ${event.type}.`);
  return note;
}

function retry(attempt: number, waitMs: number, failedMs: number): Item {
  const event = {
    ...source,
    type: "ProviderRetry",
    at: failedMs,
    since: 0,
    waitingFor: "rate-limit",
    problem: "The provider reports too many requests (429): Slow down.",
    model: "other-model",
    attempt,
    waitMs,
  } as unknown as AgentEvent; // only what is shown
  return noteOf(event);
}

function textOf(item: Item, times = 1): string {
  return repeatedItemLines({ item, times }, { style, width: 78 }).join("\n");
}

test("a retry says why, when the next attempt is, and how long the request has failed", () => {
  expect(textOf(retry(2, 700, 0))).toBe(
    "  The provider reports too many requests (429): Slow down. Attempt 2 in 0.7 s.",
  );
  expect(textOf(retry(4, 30_700, 66_000))).toBe(
    "  The provider reports too many requests (429): Slow down. Attempt 4 in 31 s;\n" +
      "  the request has failed for 1 min 6 s.",
  );
  expect(textOf(retry(5, 0, 0))).toMatch(/Slow down\. Trying other-model\s+instead\.$/);
});

test("retries because of one problem are one note, which ends with their number", () => {
  expect(isSameItem(retry(2, 32_800, 0), retry(3, 30_700, 66_000))).toBe(true);
  expect(textOf(retry(4, 30_700, 66_000), 3)).toMatch(/1 min 6 s\. ×3$/);
});

test("a wait for money says which limit, who holds it and when the next attempt is", () => {
  const event = { ...source, type: "BudgetWait", limit: "day-cost", reserved: 30_000_000, waitMs: 4_000 };
  expect(noteOf(event as unknown as AgentEvent)).toMatchObject({
    text: "Requests in flight hold $0.03 of the limit day-cost. Trying again in 4.0 s.",
  });
});
