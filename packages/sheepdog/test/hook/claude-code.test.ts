import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SpoolLine } from "@sheepdog/integrations/hooks";
import { describe, expect, test } from "vitest";
import { isBuilt } from "../is-built.ts";
import { scratchFolder } from "../scratch-folder.ts";
import { isClaudeCodeInstalled, runClaudeCode } from "./claude-code.ts";
import { spool } from "./run-hook.ts";

const file = scratchFolder();
const newFolder = async () => dirname(await file("claude/x", ""));

if (!isClaudeCodeInstalled) console.warn("Claude Code is not installed. Run: node bench/install.mjs claude-code");

/** The spool of the only session. */
function onlySpool(folder: string): readonly SpoolLine[] {
  const home = join(folder, "sheepdog");
  const names = readdirSync(join(home, "attach", "claude-code")).filter((name) => name.endsWith(".jsonl"));
  expect(names).toHaveLength(1);
  return spool(home, names[0]?.replace(".jsonl", ""));
}

const answers = (lines: readonly SpoolLine[]) =>
  lines.flatMap((line) => (line.type === "answer" ? [`${line.event} ${line.parts.join(" ")}`] : []));

describe.skipIf(!isBuilt || !isClaudeCodeInstalled)("the real Claude Code", { timeout: 120_000 }, () => {
  const loop = () => ({ calls: [{ tool: "Bash", input: { command: "cat missing.txt" } }] });

  test("loops, is hinted at, refused and stopped", async () => {
    const folder = await newFolder();
    const { requests, code } = await runClaudeCode({ folder, model: loop });
    expect([code, requests.length]).toEqual([0, 8]);
    const hint = 'Sheepdog: This exact call to \\"Bash\\" has failed 3 times with the same error';
    expect(requests.map(({ text }) => text.includes(hint)).indexOf(true)).toBe(3);
    const denial = 'Refused by the guardian, not run. This exact call to \\"Bash\\" has failed 5 times';
    expect(requests.map(({ text }) => text.includes(denial)).indexOf(true)).toBe(6);
    const lines = onlySpool(folder);
    expect(answers(lines)).toEqual([
      ...["PostToolBatch tell", "PostToolBatch tell", "PostToolBatch tell"],
      ...["PreToolUse deny", "PreToolUse deny", "PreToolUse deny", "PostToolBatch stop"],
    ]);
    expect(lines.filter(({ type }) => type === "problem")).toEqual([]);
    expect(lines.findLast(({ type }) => type === "usage")).toMatchObject({
      model: "claude-sonnet-4-5",
      costNanoUsd: expect.any(Number),
    });
  });

  test("is left alone where it is observed", async () => {
    const folder = await newFolder();
    const model = (request: number) => (request < 9 ? loop() : { text: "I give up." });
    const { requests, stdout } = await runClaudeCode({ folder, model, hookFlags: "--observe" });
    expect([requests.length, stdout.trim()]).toEqual([10, "I give up."]);
    expect(requests.some(({ text }) => text.includes("Sheepdog"))).toBe(false);
    const lines = onlySpool(folder);
    expect(answers(lines)).toEqual([]);
    expect(lines.filter(({ type }) => type === "intervention").length).toBeGreaterThanOrEqual(4);
  });

  test("polls with changing results and is left alone", async () => {
    const folder = await newFolder();
    const poll = { calls: [{ tool: "Bash", input: { command: "date +%s%N" } }] };
    const model = (request: number) => (request < 12 ? poll : { text: "Done." });
    const { requests, stdout } = await runClaudeCode({ folder, model });
    expect([requests.length, stdout.trim()]).toEqual([13, "Done."]);
    expect(answers(onlySpool(folder))).toEqual([]);
  });

  test("is stopped by the budget of a session", async () => {
    const folder = await newFolder();
    const model = (request: number) => ({
      calls: [{ tool: "Bash", input: { command: `echo ${request}` } }],
      usage: { input: 100_000, output: 10 },
    });
    const { requests } = await runClaudeCode({ folder, model, config: "[budget]\nper_session_limit_cents = 100\n" });
    expect(requests.length).toBeGreaterThanOrEqual(4); // 30 cents each; the recording may lag behind
    expect(requests.length).toBeLessThanOrEqual(6);
    expect(answers(onlySpool(folder)).at(-1)).toContain("stop");
  });

  test("is refused, not asked, where nobody can answer", async () => {
    const folder = await newFolder();
    const { requests } = await runClaudeCode({ folder, model: loop, flags: ["--allowedTools", "Bash"] });
    expect(requests.length).toBe(8);
    expect(answers(onlySpool(folder))).toContain("PreToolUse deny");
  });
});
