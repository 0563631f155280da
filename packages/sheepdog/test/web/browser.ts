import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { isBuilt } from "../e2e/sandbox.ts";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executable = process.env["SHEEPDOG_CHROMIUM"] ?? places.find((path) => existsSync(path));

/** Whether browser tests can run here. */
export const canBrowse: boolean = isBuilt && executable !== undefined;
if (executable === undefined) {
  const install = "Install it: sudo apt-get install -y chromium";
  if (process.env["SHEEPDOG_REQUIRE_BROWSER"] !== undefined) throw new Error(`Chromium is missing. ${install}`);
  console.warn(`Chromium is missing: the tests of the web pages are skipped. ${install}`);
}

/** A page as a person sees it, and what went wrong in it. */
export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, refused resources, and messages of the console at level error. */
  readonly problems: readonly string[];
}

/** A browser starts slowly on a busy machine. */
const START_MS = 60_000;

interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  /** The test moves the time of the page with `page.clock`. */
  readonly hasClock?: boolean;
  /** Default: true. */
  readonly hasScripts?: boolean;
}

/** Starts one browser for the tests of a file. Returns a function that opens a page with cookies of its own. */
export function useBrowser(): (url: string, options?: PageOptions) => Promise<OpenedPage> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (!canBrowse || executable === undefined) return;
    browser = await chromium.launch({
      executablePath: executable,
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
    });
  }, START_MS);
  afterAll(async () => {
    await browser?.close();
  }, START_MS);
  return async (url, { width = 1_440, height = 1_000, theme = "light", hasClock = false, hasScripts = true } = {}) => {
    if (browser === undefined) throw new Error("Expected a browser; it was not started.");
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      javaScriptEnabled: hasScripts,
    });
    context.setDefaultTimeout(15_000);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    page.on("request", (request) => {
      const isOwn = url.startsWith("file:") ? request.url() === url : request.url().startsWith(new URL(url).origin);
      if (!isOwn) problems.push(`requested ${request.url()}`);
    });
    if (hasClock) await page.clock.install();
    // A file must need no network.
    if (url.startsWith("file:")) await context.setOffline(true);
    await page.goto(url);
    return { page, context, problems };
  };
}
