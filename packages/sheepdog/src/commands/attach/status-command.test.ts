import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SpoolLine } from "@sheepdog/integrations/hooks";
import { expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";

const file = scratchFolder();

async function world() {
  const home = dirname(await file("home/here"));
  return {
    home,
    spool(agent: string, lines: readonly SpoolLine[]) {
      const dir = join(home, ".sheepdog/attach", agent);
      mkdirSync(dir, { recursive: true });
      const text = lines.map((line) => JSON.stringify(line)).join("\n");
      writeFileSync(join(dir, "session-1.jsonl"), `${text}\n{"type":"hook","at":`);
    },
    async run(...args: readonly string[]) {
      const io = fakeIo({ cwd: home, env: { HOME: home, PATH: process.env["PATH"] ?? "" } });
      return { code: await main(args, io), out: io.out(), err: io.err() };
    },
  };
}

const hook = (ms: number): SpoolLine => ({ type: "hook", event: "PreToolUse", ms, at: 1_000 + ms });

test("what is attached, when it last fired, how long it took, and what it said", async () => {
  const { run, spool } = await world();
  expect(await run("attach", "status")).toMatchObject({ code: 0, out: "" });
  await run("attach", "claude-code", "--write", "--observe");
  expect((await run("attach", "status")).out).toBe(
    "Claude Code\n  attached (user): .claude/settings.json\n  only observes\n  no hook has fired yet\n",
  );
  const times = Array.from({ length: 20 }, (_, index) => hook(index + 1));
  spool("claude-code", [...times, { type: "problem", at: 5, sentence: "the disk is full" }]);
  expect((await run("attach", "status")).out).toMatch(
    /last fired 1970-01-01; 20 times, median 10 ms, p95 19 ms\n {2}last failure: the disk is full\n$/,
  );
  const { agents } = JSON.parse((await run("attach", "status", "--json")).out);
  expect(agents).toMatchObject([
    {
      agent: "claude-code",
      mode: "observe",
      attached: [{ scope: "user", isCurrent: true }],
      hooks: { firings: 20, medianMs: 10, p95Ms: 19 },
    },
  ]);
});

test("doctor finds settings and scripts that are gone", async () => {
  const { run, home } = await world();
  const check = async () => {
    const { checks } = JSON.parse((await run("doctor", "--json")).out);
    return checks.filter(({ name }: { readonly name: string }) => name === "attached");
  };
  expect(await check()).toMatchObject([{ status: "ok", sentence: "None." }]);
  await run("attach", "claude-code", "codex", "--write");
  expect(await check()).toMatchObject([{ status: "ok" }, { status: "ok" }]);
  rmSync(join(home, ".codex/hooks.json"));
  expect(await check()).toMatchObject([
    { status: "ok", sentence: "Claude Code: attached; no hook has fired yet." },
    { status: "warn", sentence: expect.stringContaining("hooks.json is gone, so codex is not attached there") },
  ]);
  expect((await run("detach", "codex", "--write")).out).toBe("Forgotten. .codex/hooks.json is gone.\n");
  expect(await check()).toMatchObject([{ status: "ok" }]);
  rmSync(join(home, ".sheepdog/bin/sheepdog-hook"));
  expect((await check())[0]).toMatchObject({ status: "fail", sentence: expect.stringContaining("no hook works") });
});
