import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addRefusedLoop, type TestSpool, testSpool } from "../attached/spool.ts";
import { bin } from "../e2e/sandbox.ts";
import { canBrowse, useBrowser } from "./browser.ts";
import { type ServedHome, serveHome } from "./serve-home.ts";

describe.skipIf(!canBrowse)("a session of an attached agent", () => {
  const openPage = useBrowser();
  let home: string;
  let server: ServedHome;
  let spool: TestSpool;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "sheepdog-"));
    spool = testSpool(join(home, "attach"), { startedAt: Date.now() - 60_000 });
    addRefusedLoop(spool);
    server = await serveHome(bin, home);
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await rm(home, { recursive: true });
  });

  test("is live in the list, and its page follows it to its end", async () => {
    const { page, problems } = await openPage(server.at("/runs"));
    const row = page.locator("ul.runs li").first();
    await row.waitFor();
    expect(await row.innerText()).toContain("Claude Code");
    expect(await row.locator(".pulse").count()).toBe(1);
    expect(await row.getByRole("button", { name: "Stop this run" }).count()).toBe(0);
    await row.getByRole("link").first().click();
    await page.getByText("refused by the guardian").first().waitFor();
    spool.add({ type: "turn-end" }, { type: "reply", text: "The rounding was wrong; it is fixed." }, { type: "end" });
    await page.getByText("The rounding was wrong").first().waitFor();
    await page.goto(server.at("/runs"));
    await row.waitFor();
    expect(await row.locator(".pulse").count()).toBe(0);
    expect(problems).toEqual([]);
  }, 60_000);
});
