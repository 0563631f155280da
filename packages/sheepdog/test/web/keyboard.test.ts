import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, useBrowser } from "./browser.ts";
import { playedNight } from "./night.ts";
import type { ServedHome } from "./serve-home.ts";

describe.skipIf(!canBrowse)("with the keyboard only", () => {
  const open = useBrowser();
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-keys-"));
  let night: ServedHome | undefined;
  beforeAll(async () => {
    night = await playedNight(folder);
  }, 60_000);
  afterAll(async () => {
    await night?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }, 60_000);

  test("a run is found, opened and read, and every page is reached", async () => {
    const { page, problems } = await open(night?.at("/runs") ?? "");
    await page.getByText("failed 240 times").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("migrate");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain("migrate");
    await expect.poll(() => page.locator(".runs > li").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.locator("h1").filter({ hasText: "npm run migrate" }).waitFor();
    await page.locator(".ev").first().waitFor();
    await page.keyboard.press("]");
    await expect.poll(() => page.url()).toMatch(/#e\d+$/);
    const first = page.url();
    await page.keyboard.press("]");
    await expect.poll(() => page.url()).not.toBe(first);
    await page.keyboard.press("[");
    await expect.poll(() => page.url()).toBe(first);
    for (const [key, heading] of [
      ["f", "Feed"],
      ["b", "Budgets"],
      ["i", "Findings"],
      ["s", "Settings"],
      ["r", "Runs"],
    ] as const) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.locator("main h1").filter({ hasText: heading }).waitFor();
    }
    expect(problems).toEqual([]);
  });

  test("the list of keys opens and closes, and single keys can be switched off", async () => {
    const { page } = await open(night?.at("/runs") ?? "");
    await page.getByText("failed 240 times").first().waitFor();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("next", { exact: false }).first().waitFor();
    await dialog.getByRole("checkbox").or(dialog.getByRole("switch")).first().press("Space");
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.waitForTimeout(300);
    expect(await page.locator("main h1").textContent()).toBe("Runs");
  });

  test("every control can be reached with Tab, and the focus is visible", async () => {
    const { page } = await open(night?.at("/runs") ?? "");
    await page.getByText("failed 240 times").first().waitFor();
    const names = await tabbedNames(page, 30);
    expect(names[0]).toBe("Skip to content");
    expect(names).toEqual(expect.arrayContaining(["Runs", "Budgets", "Findings", "Settings"]));
  });
});

/** The names of the elements that Tab reaches, in their order. Each has to show that it has the focus. */
async function tabbedNames(page: Page, count: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (let step = 0; step < count; step++) {
    await page.keyboard.press("Tab");
    const [name, isVisible] = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement; // Tab moves the focus to an element
      const label = element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "";
      const isMarked = (marked: Element | null) => marked !== null && getComputedStyle(marked).outlineStyle !== "none";
      return [label, isMarked(element) || isMarked(element.closest("li, label"))] as const;
    });
    expect([name, isVisible]).toEqual([name, true]);
    names.push(name);
  }
  return names;
}
