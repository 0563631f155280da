import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../e2e/sandbox.ts";
import { canBrowse, useBrowser } from "./browser.ts";
import { serve } from "./serve.ts";

/** A server that no page may ask for anything. */
async function canary(): Promise<{ readonly url: string; readonly requests: readonly string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }; // listens on a port
}

describe.skipIf(!canBrowse)("texts of models, tools and files", () => {
  const open = useBrowser();

  test("are inert: no HTML, no script, no image, no address is loaded (80)", async () => {
    const { url, requests } = await canary();
    const hostile = [
      `<img src="${url}/img" onerror="window.owned=1">`,
      `<script>window.owned = 1</script>`,
      `<svg onload="window.owned=1"><use href="${url}/svg#a"/></svg>`,
      `![picture](${url}/markdown)`,
      `[a link](javascript:window.owned=1) and [another](data:text/html,<script>1</script>)`,
      `<iframe src="${url}/frame"></iframe><style>@import "${url}/css"</style>`,
      "\u202egnp.exe \u200b \u001b[2J",
      `{{constructor.constructor("window.owned=1")()}}`,
    ].join("\n\n");
    const sandbox = await createSandbox({ onTestFinished }, [
      { text: hostile, calls: [{ tool: "write", input: { path: "<b>bold</b>.html", content: hostile } }] },
      { text: "", calls: [{ tool: "bash", input: { command: `cat '<b>bold</b>.html' '${hostile.slice(0, 60)}'` } }] },
      { text: `${hostile}\n\nThe end of it.` },
    ]);
    await sandbox.run(["run", "--unattended", `Do it: ${hostile}`]);
    const served = await serve(sandbox);
    const [{ runId }] = JSON.parse((await sandbox.run(["runs", "--json"])).out).runs;
    const { page, problems } = await open(served.at("/runs"));
    await page.locator(".runs > li").waitFor();
    for (const path of [`/runs/${runId}`, "/feed", "/budgets", "/findings", "/settings"]) {
      await page.goto(`${served.origin}${path}`);
      await page.locator("main h1").waitFor();
      await page.waitForTimeout(400);
      expect(await page.evaluate(() => "owned" in window)).toBe(false);
      expect(await page.locator("main img, main iframe, main script, main style").count()).toBe(0);
      expect(await page.locator('main a[href^="javascript:"], main a[href^="data:"]').count()).toBe(0);
    }
    await page.goto(`${served.origin}/runs/${runId}`);
    await page.getByText("The end of it.").first().waitFor();
    expect(await page.getByText("window.owned=1").count()).toBeGreaterThan(0);
    expect(requests).toEqual([]);
    expect(problems).toEqual([]);
  });
});
