import { expect, test } from "vitest";
import { lookBackOf, lookedAt } from "../../../../test/look-back-runs.ts";
import { cleanRun, stuckRun } from "../../../../test/recordings.ts";
import { lookBackPage } from "./look-back-page.ts";

function pageOf(lines: readonly string[]): Promise<string> {
  const runs = lines.map((line) => lookedAt(line));
  return lookBackPage(lookBackOf(runs), { top: undefined, sort: "cost", now: 0, program: "sheepdog" });
}

test("the three worst runs are open, and the others are folded", async () => {
  const page = await pageOf(["a", "b", "c", "d", "e"].map((id) => stuckRun(id, 8)));
  const [open = "", folded = ""] = page.split("2 more runs in circles");
  expect([open.match(/<article/g)?.length, folded.match(/<article/g)?.length]).toEqual([3, 2]);
  expect(await pageOf([stuckRun("a", 8)])).not.toContain('<details class="fold more-runs">');
});

test("less than a percent is not called 0 %", async () => {
  const dear = { id: "dear", steps: [{ turn: 0, text: "Done.", usage: { costUsd: 1_000 }, calls: [] }] };
  const page = await pageOf([stuckRun("a", 3), JSON.stringify(dear)]);
  expect(page).toContain("under 1 % of it");
  expect(page).not.toMatch(/>0 % of it/);
});

test("the sum is called list price only if all of it was computed", async () => {
  const run = (...usages: readonly object[]) =>
    pageOf([JSON.stringify({ id: "a", steps: usages.map((usage, turn) => ({ turn, text: "", usage, calls: [] })) })]);
  const tileText = (page: string) => page.replace(/<[^>]*>|\s+/g, " ").match(/Spent\s+\$\d.*?run/)?.[0];
  const computed = { costUsd: 1, isPriced: true };
  expect(tileText(await run(computed))).toContain("at list price");
  expect(tileText(await run(computed, { costUsd: 2 }))).toMatch(/^Spent\s+\$3.00\s+1 run/);
});

test("a run is named by its task, not by the last words of the agent", async () => {
  const run = { ...JSON.parse(cleanRun("a")), task: "Publish the page.", outcome: "success" };
  run.steps.push({ turn: 1, text: "Pushed.", at: Date.UTC(2026, 10, 3, 12), calls: [] });
  const page = await pageOf([JSON.stringify(run)]);
  expect(page).toContain('<span class="title">Publish the page</span>');
  expect(page).toContain('<span class="only-narrow">3 Nov 2026</span>');
});
