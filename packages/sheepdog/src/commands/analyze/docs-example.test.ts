import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";

const file = scratchFolder();

test("the example of docs/analyze.md prints what the page says", async () => {
  const page = readFileSync(new URL("../../../../../docs/analyze.md", import.meta.url), "utf8");
  const program = /node -e '\n(?<program>[^']+)'/.exec(page)?.groups?.["program"] ?? "";
  const shown = /```text\n(?<shown>[^`]*(?:`[^`]+`[^`]*)*?)```/.exec(page)?.groups?.["shown"];
  const path = await file("runs.jsonl", execFileSync(process.execPath, ["-e", program], { encoding: "utf8" }));
  const io = fakeIo({ columns: 80, env: { HOME: await file("home") } });
  expect(await main(["analyze", path], io)).toBe(0);
  expect(io.out().replace(/rec_[0-9a-f]{20}/, "rec_…")).toBe(shown?.replace(/rec_[0-9a-f]{20}/, "rec_…"));
});
