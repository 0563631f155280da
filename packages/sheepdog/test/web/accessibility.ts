import axe from "axe-core";
import type { Page } from "playwright-core";

/** The rules of WCAG 2.2 AA and best practices that a page breaks, with the element. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const run = (window as unknown as { axe: typeof axe }).axe; // just loaded
    return (await run.run(document)).violations;
  });
  return found.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 3)
      .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.slice(0, 160)}`),
  );
}

/** How many pixels the page can be scrolled sideways. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
