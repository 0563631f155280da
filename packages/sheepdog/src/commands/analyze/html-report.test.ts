import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { stuckRun } from "../../../test/recordings.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { analyzeCommand } from "./analyze-command.ts";
import { chosenHtml } from "./html-file.ts";

const file = scratchFolder();

async function analyze(options: Parameters<typeof analyzeCommand>[1], name = "runs.jsonl") {
  const path = await file(name, stuckRun("r", 12));
  const cwd = dirname(path);
  const io = fakeIo({ cwd, env: { HOME: cwd, SHEEPDOG_HOME: join(cwd, "home") } });
  const code = await analyzeCommand([path], options, io);
  return { code, io, cwd };
}

test("--html writes a page that only the user may read, and says where it is and how to open it", async () => {
  const { code, io, cwd } = await analyze({ html: "report.html" });
  expect(code).toBe(0);
  expect(io.out()).toMatch(/went in circles\.\nWrote report\.html \(\d+ kB\)\.\nOpen it: \S+ report\.html\n$/);
  const page = await readFile(join(cwd, "report.html"), "utf8");
  expect(page).toContain("<code>make</code> failed 12 times the same way.");
  expect(page).toContain("<code>make</code>");
  expect((await stat(join(cwd, "report.html"))).mode & 0o777).toBe(0o600);
});

test("a report is replaced by the next one; another file is not, unless --force says so", async () => {
  await analyze({ html: "report.html" });
  expect((await analyze({ html: "report.html" })).code).toBe(0);
  await file("report.html", "<p>Mine.</p>");
  const refused = await analyze({ html: "report.html" });
  expect(refused.code).toBe(2);
  expect(refused.io.err()).toBe(
    "sheepdog: report.html exists and is no report of this command. " +
      "Choose another name, or replace it with --force.\n",
  );
  expect(await readFile(join(refused.cwd, "report.html"), "utf8")).toBe("<p>Mine.</p>");
  expect((await analyze({ html: "report.html", force: true })).code).toBe(0);
  expect(await readFile(join(refused.cwd, "report.html"), "utf8")).toContain("<!doctype html>");
});

test("--html - prints the page and nothing else", async () => {
  const { io } = await analyze({ html: "-" });
  expect(io.out()).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
});

test("a page that cannot be written is an error that says why", async () => {
  await expect(analyze({ html: "missing/report.html" })).rejects.toThrow(
    "the output cannot be written (missing/report.html: its folder does not exist)",
  );
});

test("--force alone is refused", async () => {
  const { code, io } = await analyze({ force: true });
  expect([code, io.err()]).toEqual([2, "sheepdog: --force is for --html: it replaces a file\n"]);
});

test("the word after --html is a file to write if it ends in .html, and else a recording", () => {
  expect(chosenHtml(undefined)).toEqual({});
  expect(chosenHtml(true)).toEqual({ html: "sheepdog-report.html" });
  expect(chosenHtml("a.HTML")).toEqual({ html: "a.HTML" });
  expect(chosenHtml("-")).toEqual({ html: "-" });
  expect(chosenHtml("runs.jsonl")).toEqual({ html: "sheepdog-report.html", path: "runs.jsonl" });
});
