import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bin } from "../e2e/sandbox.ts";
import { openTestHome } from "../test-home.ts";
import { canBrowse, useBrowser } from "./browser.ts";
import { longTasks } from "./long-tasks.ts";
import { type ServedHome, serveHome } from "./serve-home.ts";

const TURNS = 1_100;

describe.skipIf(!canBrowse)("a run with more than 10,000 events", () => {
  const open = useBrowser();
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-large-"));
  let served: ServedHome | undefined;
  let runId = "";
  let events = 0;
  beforeAll(async () => {
    const home = await openTestHome(folder);
    const result = await home.runPrompt(
      "ses_large",
      "Read all the parts.",
      [
        ...Array.from({ length: TURNS }, (_, index) => ({
          text: `Part ${index} of **${TURNS}**.`,
          calls: [{ tool: "echo", input: { text: words(index) } }],
        })),
        { text: "All parts are read." },
      ],
      { settings: { maxTurns: 0, maxDurationSecs: 0 } },
    );
    runId = result.runId;
    events = (await home.stores.events.after("ses_large", 0)).length;
    await home.close();
    served = await serveHome(bin, folder);
  }, 120_000);
  afterAll(async () => {
    await served?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test("scrolls without a task that a person could feel", async (context) => {
    expect(events).toBeGreaterThan(10_000);
    const { page, problems } = await open(served?.at(`/runs/${runId}`) ?? "");
    await page.locator("h1").filter({ hasText: "All parts are read" }).waitFor();
    await page.locator(".ev").first().waitFor();
    await page.waitForTimeout(1_500);
    const story = await longTasks(page);
    await page
      .getByRole("link", { name: "Raw events" })
      .or(page.getByRole("button", { name: "Raw events" }))
      .first()
      .click();
    await page.locator(".lines.raw").waitFor();
    await page.waitForTimeout(500);
    const raw = await longTasks(page);
    context.annotate?.(`long tasks while scrolling: story ${JSON.stringify(story)}, raw events ${JSON.stringify(raw)}`);
    console.log(`long tasks while scrolling ${events} events, in ms: story ${story}, raw events ${raw}`);
    // On a machine that does other things too, a few tasks above 50 ms are noise; a page that is not virtual has
    // tasks of seconds.
    expect(Math.max(0, ...story, ...raw)).toBeLessThan(400);
    expect(await page.locator("*").count()).toBeLessThan(6_000);
    expect(problems).toEqual([]);
  });
});

/** Some words that no other turn has. */
function words(turn: number): string {
  return Array.from({ length: 40 }, (_, index) => (turn * 7_919 + index * 104_729).toString(36)).join(" ");
}
