import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { overflow, violations } from "./accessibility.ts";
import { canBrowse, useBrowser } from "./browser.ts";
import { playedNight } from "./night.ts";
import type { ServedHome } from "./serve-home.ts";

const loop = "run_4c1fe20b000001";
const screens = {
  runs: { path: "/runs", heading: "Runs", shows: "failed 240 times" },
  run: { path: `/runs/${loop}`, heading: "npm run migrate failed", shows: "You let it continue" },
  feed: { path: "/feed", heading: "Feed", shows: "Ended by the guardian" },
  budgets: { path: "/budgets", heading: "Budgets", shows: "What loops cost" },
  findings: { path: "/findings", heading: "Findings", shows: "Stuck runs" },
  settings: { path: "/settings", heading: "Settings", shows: "max_turns" },
} as const;

describe.skipIf(!canBrowse)("every page", () => {
  const open = useBrowser();
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-screens-"));
  let night: ServedHome | undefined;
  const at = (path: string) => night?.at(path) ?? "";
  beforeAll(async () => {
    night = await playedNight(folder);
  }, 60_000);
  afterAll(async () => {
    await night?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }, 60_000);

  test.each(Object.entries(screens))("%s shows its content without an error", async (_, { path, heading, shows }) => {
    const { page, problems } = await open(at(path));
    await page.locator("main h1").filter({ hasText: heading }).waitFor();
    await page.getByText(shows).first().waitFor();
    expect(problems).toEqual([]);
    expect(await page.locator("h1").count()).toBe(1);
  });

  const looks = (["light", "dark"] as const).flatMap((theme) =>
    [1_440, 360].flatMap((width) => Object.keys(screens).map((name) => ({ name, theme, width }))),
  );
  test.each(looks)("$name is accessible ($theme, $width pixels wide)", async ({ name, theme, width }) => {
    const { path, shows } = screens[name as keyof typeof screens];
    const { page } = await open(at(path), { width, theme });
    await page.getByText(shows).first().waitFor({ state: "attached" });
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });

  test("a long command in the sentence of a run does not make a phone scroll sideways", async () => {
    const { page } = await open(at(`/runs/${loop}`), { width: 360 });
    await page.locator("main h1 code").evaluate((code) => {
      code.textContent = `terraform apply -auto-approve -target=module.${"cache".repeat(12)}`;
    });
    expect(await overflow(page)).toBe(0);
  });

  test("the token does not stay in the address, and a page without one says what to do", async () => {
    const { page, context } = await open(at("/feed"));
    await page.locator("main h1").filter({ hasText: "Feed" }).waitFor();
    expect(page.url()).toBe(`${night?.origin}/feed`);
    await context.clearCookies();
    await page.reload();
    await page.getByText("This page has no valid token").waitFor();
  });

  test("a link to an event opens it, and copying the link gives the same address", async () => {
    const { page } = await open(at(`/runs/${loop}`));
    const pin = page.locator(".lanes a.pin.warn, .lanes button.pin.warn").first();
    await pin.click();
    await expect.poll(() => page.url()).toMatch(/#e\d+$/);
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    await page
      .locator(".card h2")
      .filter({ hasText: /^(Warned|Hinted|Asked|Ended)/ })
      .waitFor();
    expect(page.url()).toBe(address);
  });

  test("repeated calls are one row, which opens to what differs", async () => {
    const { page } = await open(at(`/runs/${loop}`));
    const fold = page.locator(".times").filter({ hasText: /×24\d/ }).first();
    await fold.waitFor();
    await page.getByText("What the guardian did").first().waitFor();
    await page.getByText("What differs").first().waitFor();
  });
});
