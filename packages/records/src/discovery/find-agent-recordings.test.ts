import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentPlaces } from "./agent-places.ts";
import { findAgentRecordings } from "./find-agent-recordings.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "sheepdog-"));
});
afterEach(() => rm(home, { recursive: true }));

async function write(name: string): Promise<void> {
  await mkdir(dirname(join(home, name)), { recursive: true });
  await writeFile(join(home, name), "{}\n");
}

async function find(): Promise<readonly string[]> {
  const lines: string[] = [];
  const places = agentPlaces({ env: {}, homeFolder: home, platform: "linux" });
  for await (const found of findAgentRecordings(places))
    lines.push(
      found.type === "file"
        ? `${found.place.agent} ${relative(home, found.file)}`
        : `${relative(home, found.skipped.file)}: ${found.skipped.why}`,
    );
  return lines;
}

test("recordings are found in the places of their agents, and missing or empty places are passed over", async () => {
  expect(await find()).toEqual([]);
  await mkdir(join(home, ".codex/sessions/2026"), { recursive: true });
  for (const name of [
    ...[".claude/projects/-srv-api/s1.jsonl", ".claude/projects/-srv-api/s1/subagents/agent-1.jsonl"],
    ...[".gemini/tmp/0f/chats/session-1.jsonl", ".gemini/tmp/0f/shell_history", ".gemini/tmp/0f/logs.jsonl"],
    ...[".openclaw/agents/main/sessions/1.jsonl", ".openclaw/agents/main/sessions/2.jsonl.deleted.2026-11-01"],
    ...[".local/share/opencode/opencode-dev.db", ".local/share/opencode/auth.json"],
  ])
    await write(name);
  expect(await find()).toEqual([
    "claude-code .claude/projects/-srv-api/s1/subagents/agent-1.jsonl",
    "claude-code .claude/projects/-srv-api/s1.jsonl",
    "gemini-cli .gemini/tmp/0f/chats/session-1.jsonl",
    "opencode .local/share/opencode/opencode-dev.db",
    "openclaw .openclaw/agents/main/sessions/1.jsonl",
    "openclaw .openclaw/agents/main/sessions/2.jsonl.deleted.2026-11-01",
  ]);
});

test("links are followed, also in circles", async () => {
  await write("elsewhere/-srv-api/s1.jsonl");
  await mkdir(join(home, ".claude"));
  await symlink(join(home, "elsewhere"), join(home, ".claude/projects"));
  await symlink(home, join(home, "elsewhere/home"));
  await symlink(join(home, "nowhere"), join(home, ".codex"));
  expect(await find()).toEqual(["claude-code .claude/projects/-srv-api/s1.jsonl"]);
});

test.skipIf(process.getuid?.() === 0)("a folder without permission is reported, and the others are read", async () => {
  for (const name of [".claude/projects/a/s1.jsonl", ".codex/sessions/r.jsonl", ".gemini/tmp/0f/chats/c.jsonl"])
    await write(name);
  const closed = [".claude/projects", ".gemini/tmp"].map((name) => join(home, name));
  for (const folder of closed) await chmod(folder, 0);
  expect(await find()).toEqual([
    ".claude/projects: there is no permission to read it",
    "codex .codex/sessions/r.jsonl",
    ".gemini/tmp: there is no permission to read it",
  ]);
  for (const folder of closed) await chmod(folder, 0o700);
});
