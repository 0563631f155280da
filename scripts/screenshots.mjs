// Takes pictures of every page: `npm run screenshots -- [folder]`, or those of the README: `npm run screenshots --
// --readme`. The pages are real: a scripted night is played into a temporary home, agents run live against a local
// model server and wait for an answer, `sheepdog serve` serves it all, and Chromium looks at it. Clocks show
// 11 November 2026, 08:52. Needs Chromium and `npm run build`.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { startLiveRuns } from "./night/live-runs.mjs";
import { morning, playNight } from "./night/play-night.mjs";
import { startServer } from "./night/start-server.mjs";

const [, , given = "screenshots"] = process.argv;
const isForReadme = given === "--readme";
const folder = resolve(isForReadme ? "docs/pictures" : given);
const executablePath = process.env["SHEEPDOG_CHROMIUM"] ?? "/usr/bin/chromium";
const sizes = { desktop: { width: 1_440, height: 1_080 }, phone: { width: 390, height: 844 } };
const themes = ["light", "dark"];
const screens = {
  runs: "/runs",
  run: "/runs/run_4c1fe20b000001",
  feed: "/feed",
  budgets: "/budgets",
  findings: "/findings",
  settings: "/settings",
};

const temporary = mkdtempSync(join(tmpdir(), "sheepdog-screenshots-"));
const [home, projects] = [join(temporary, "home"), join(temporary, "projects")];
const ends = [() => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 })];
try {
  mkdirSync(folder, { recursive: true });
  await playNight({ home, projects });
  const live = await startLiveRuns({ home, projects });
  ends.push(live.stop);
  const server = await startServer({ home, projects });
  ends.push(server.stop);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  ends.push(() => browser.close());
  const looks = Object.keys(sizes).flatMap((size) =>
    themes.map((theme) => ({ size, theme, names: Object.keys(screens) })),
  );
  const readmeLooks = [{ size: "desktop", theme: "light", names: ["run", "feed"] }];
  for (const look of isForReadme ? readmeLooks : looks) await takePictures(browser, server, look);
} finally {
  for (const end of ends.reverse()) await end();
}

async function takePictures(browser, server, { size, theme, names }) {
  const viewport = sizes[size];
  const isPhone = size === "phone";
  const context = await browser.newContext({ viewport, colorScheme: theme, deviceScaleFactor: isPhone ? 2 : 1.5 });
  await context.clock.install({ time: morning });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.locator("main h1").waitFor();
  for (const name of names) {
    await page.goto(`${server.origin}${screens[name]}`);
    await page.locator("main h1").waitFor();
    await page.waitForLoadState("load");
    await new Promise((done) => setTimeout(done, 1_500)); // charts are drawn, the stream is connected
    await page.getByText("runs analyzed").waitFor({ state: "hidden", timeout: 120_000 });
    const file = isForReadme ? `page-${name}.png` : `${name}-${size}-${theme}.png`;
    await page.screenshot({ path: join(folder, file), fullPage: isPhone });
    console.log(file);
  }
  await context.close();
}
