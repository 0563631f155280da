import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lookBackPage } from "../../src/commands/analyze/html/look-back-page.ts";
import type { LookBackRun } from "../../src/look-back/look-back-run.ts";
import { hostileRun, lookBackOf, loopingRun, shortRuns } from "../look-back-runs.ts";
import { overflow, violations } from "./accessibility.ts";
import { canBrowse, useBrowser } from "./browser.ts";
import { longTasks } from "./long-tasks.ts";

describe.skipIf(!canBrowse)("the page of a look back", () => {
  const open = useBrowser();
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-page-"));
  const write = async (name: string, runs: readonly LookBackRun[]) => {
    const request = { top: undefined, sort: "cost", now: Date.UTC(2026, 10, 11, 8), program: "sheepdog" } as const;
    const path = join(folder, name);
    writeFileSync(path, await lookBackPage(lookBackOf(runs), request));
    return pathToFileURL(path).href;
  };
  let usual = "";
  beforeAll(async () => {
    usual = await write("usual.html", [loopingRun("long", 400), ...shortRuns(60)]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const looks = (["light", "dark"] as const).flatMap((theme) => [1_440, 390].map((width) => ({ theme, width })));
  test.each(looks)("is accessible and asks for nothing ($theme, $width pixels wide)", async ({ theme, width }) => {
    const { page, problems } = await open(usual, { theme, width });
    await openAll(page);
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    expect(problems).toEqual([]);
  });

  test("says the answer, draws the charts, and opens the evidence without scripts", async () => {
    const { page } = await open(usual, { hasScripts: false });
    await page.locator("h1").filter({ hasText: "went in circles" }).waitFor();
    expect(await page.locator("#time .plot .loop").count()).toBeGreaterThan(0);
    expect(await page.locator("#worst-1 .lane").count()).toBe(4);
    await page.locator("#worst-2 details summary").first().click();
    await page.locator("#worst-2").getByText("What it would have told the agent").waitFor();
    expect(await page.locator("#filters, #theme").filter({ visible: true }).count()).toBe(0);
  });

  test("sorts and filters the runs", async () => {
    const { page } = await open(usual);
    const calls = () => page.locator("#run-table tbody tr:visible td:nth-child(4)").allTextContents();
    await page.getByRole("button", { name: "Calls", exact: true }).click();
    expect((await calls())[0]).toBe("400");
    await page.getByRole("button", { name: "Calls", exact: true }).click();
    expect((await calls()).at(-1)).toBe("400");
    await page.getByRole("searchbox").fill("invoices");
    expect(await calls()).toEqual(["400"]);
    expect(await page.getByRole("status").textContent()).toBe("1 of 61");
  });

  test("shows texts of recordings and runs none of them", async () => {
    const { page, problems } = await open(await write("hostile.html", [hostileRun()]));
    await openAll(page);
    expect(await page.evaluate(() => "owned" in window)).toBe(false);
    expect(await page.locator("body img, main script, main style, body iframe, [onload], [onerror]").count()).toBe(0);
    expect(await page.locator("main").textContent()).toContain("<script>window.owned=1</script>");
    expect(await page.locator("main").textContent()).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u);
    expect(await overflow(page)).toBe(0);
    expect(problems).toEqual([]);
  });

  test("prints its loops opened", async () => {
    const { page } = await open(usual);
    await page.emulateMedia({ media: "print" });
    const said = page.locator("#worst-2 .said").first();
    await expect.poll(async () => (await said.boundingBox())?.height ?? 0).toBeGreaterThan(10);
    expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
  });

  test("scrolls without a task that a person could feel: 5,000 runs, and one of 5,000 calls", async () => {
    const some = shortRuns(100);
    const many = Array.from({ length: 50 }, (_, copy) =>
      some.map((run) => ({ ...run, id: `${run.id}-${copy}` })),
    ).flat();
    const url = await write("large.html", [loopingRun("long", 5_000), ...many]);
    const { page, problems } = await open(url);
    await page.waitForTimeout(500);
    const tasks = await longTasks(page);
    console.log(`long tasks while scrolling a page of 5,000 runs, in ms: ${tasks.join(", ") || "none"}`);
    // On a machine that does other things too, a few tasks above 50 ms are noise.
    expect(Math.max(0, ...tasks)).toBeLessThan(400);
    expect(await page.locator("*").count()).toBeLessThan(16_000);
    expect((await page.content()).length).toBeLessThan(1_000_000);
    expect(problems).toEqual([]);
  }, 120_000);
});

/** Opens all folds. */
async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });
}
