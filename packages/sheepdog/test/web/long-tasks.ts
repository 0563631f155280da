import type { Page } from "playwright-core";

/** The durations of long tasks while the page is scrolled to its end, in milliseconds. */
export async function longTasks(page: Page): Promise<readonly number[]> {
  await page.evaluate(() => {
    const found: number[] = [];
    (window as unknown as { tasks: number[] }).tasks = found; // read below
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) found.push(Math.round(duration));
    }).observe({ entryTypes: ["longtask"] });
    window.scrollTo(0, 0);
  });
  for (let step = 0; step < 60; step++) {
    await page.mouse.wheel(0, 1_500);
    await page.waitForTimeout(16);
  }
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForTimeout(300);
  return page.evaluate(() => (window as unknown as { tasks: number[] }).tasks); // written above
}
