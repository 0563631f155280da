import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createSandbox, isBuilt, type Sandbox } from "./sandbox.ts";

const done = { text: "Done." };
const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });

async function entries({ run }: Sandbox, ...argv: string[]): Promise<Record<string, unknown>[]> {
  return JSON.parse((await run(["audit", "--json", ...argv])).out).entries;
}

test.skipIf(!isBuilt)("a command that the gate refuses is in the audit trail, and is no lesson", async (context) => {
  const sandbox = await createSandbox(context, [bash("sudo ls"), done, done]);
  await sandbox.run(["run", "Look."]);
  expect(await entries(sandbox)).toMatchObject([
    { tool: "bash", input: "sudo ls", tier: 4, decision: "deny", outcome: "near_miss" },
  ]);
  expect((await sandbox.run(["memory", "safety"])).err).toContain("there are no lessons yet");
  await sandbox.run(["run", "Look with sudo."]);
  expect(JSON.stringify(sandbox.server.requests.at(-1)?.body)).not.toContain("in place of bash: sudo ls");
});

test.skipIf(!isBuilt)("--follow prints the decisions of another process, and ends with Ctrl-C", async (context) => {
  const sandbox = await createSandbox(context, [bash("ls"), bash("pwd"), done]);
  const following = sandbox.start(["audit", "--follow"]);
  await vi.waitFor(async () => expect(await readdir(sandbox.home)).toContain("sheepdog.db"), 20_000);
  await sandbox.run(["run", "Look."]);
  await following.says("pwd");
  following.child.kill("SIGINT");
  const { code, out, err } = await following.ended;
  expect([code, err]).toEqual([130, ""]);
  expect(out.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/ {2}T0 {2}allow {2}bash {2}ls {2}Only reads\.(?: {2}harmless)?$/),
    expect.stringMatching(/ {2}T0 {2}allow {2}bash {2}pwd {2}Only reads\.(?: {2}harmless)?$/),
  ]);
});

test.skipIf(!isBuilt)("kill -9 during a call leaves an unknown outcome", async (context) => {
  const sandbox = await createSandbox(context, [bash("sleep 60"), done]);
  const running = sandbox.start(["run", "--stream-json", "Wait."]);
  await running.says('"ToolStart"');
  running.child.kill("SIGKILL");
  await running.ended;
  expect(await entries(sandbox)).toMatchObject([
    { input: "sleep 60", decision: "allow", outcome: "unknown", outcomeReason: null },
  ]);
  await sandbox.run(["run", "--continue"]);
  expect(await entries(sandbox, "--outcome", "unknown")).toMatchObject([
    { input: "sleep 60", outcomeReason: "The process ended." },
  ]);
});

test.skipIf(!isBuilt)("no secret of a call is in any file of the home folder", async (context) => {
  const secret = `ghp_${"a1B2c3".repeat(6)}`;
  const sandbox = await createSandbox(context, [
    bash(`curl -H 'Authorization: Bearer ${secret}' https://example.org`),
    bash(`mysql -p${secret} --password=${secret}`),
    done,
  ]);
  await sandbox.run(["run", "Send."]);
  expect(await entries(sandbox)).toHaveLength(2);
  const files = (await readdir(sandbox.home, { recursive: true, withFileTypes: true })).filter((each) => each.isFile());
  expect(files.length).toBeGreaterThan(0);
  for (const { parentPath, name } of files)
    expect((await readFile(join(parentPath, name))).includes(secret), name).toBe(false);
});
