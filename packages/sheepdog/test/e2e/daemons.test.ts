import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findSandbox } from "@sheepdog/agent";
import { describe, expect, test, vi } from "vitest";
import { createSandbox, isBuilt } from "./sandbox.ts";

const probe = await mkdtemp(join(tmpdir(), "sheepdog-probe-"));
const found = await findSandbox({ workspace: probe });
await rm(probe, { recursive: true });
const whyNot = found.isAvailable ? "" : ` (skipped: ${found.reason} ${found.fix})`;

const modes = [
  { title: 'security.sandbox = "off"', mode: "off", isPossible: isBuilt },
  { title: `security.sandbox = "required"${whyNot}`, mode: "required", isPossible: isBuilt && found.isAvailable },
] as const;

/** A project whose tests leave a daemon behind: without parent, session, group and environment. */
const manifest = JSON.stringify({ scripts: { test: "sh test.sh" } });
const testScript = (mark: string) => `setsid env -i sleep ${mark} &\nsleep 0.2\ntouch begun\nsleep ${mark}\n`;

describe.for(modes)("with $title", ({ mode, isPossible }) => {
  test.runIf(isPossible).for(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
    "a daemon of a script is gone after %s",
    { timeout: 60_000 },
    async (signal, context) => {
      const mark = `987.${Math.floor(Math.random() * 1e9)}`;
      const { start, file, workspace } = await createSandbox(context, [
        { calls: [{ tool: "bash", input: { command: "npm test" } }] },
      ]);
      await file("package.json", manifest);
      await file("test.sh", testScript(mark));
      const running = start(["run", "--stream-json", "Test."], { env: { SHEEPDOG_SECURITY__SANDBOX: mode } });
      await vi.waitFor(() => expect(readdirSync(workspace)).toContain("begun"), { timeout: 30_000, interval: 20 });
      await vi.waitFor(() => expect(sleepers(mark)).toHaveLength(2), { timeout: 10_000 });
      running.child.kill(signal);
      await running.ended;
      await vi.waitFor(() => expect(sleepers(mark)).toEqual([]), { timeout: 20_000, interval: 20 });
    },
  );
});

test.runIf(isBuilt && found.isAvailable)(
  "code of the project reaches nothing outside the workspace, and the run continues",
  { timeout: 60_000 },
  async (context) => {
    const { run, file, workspace } = await createSandbox(context, [
      { calls: [{ tool: "bash", input: { command: "npm test" } }] },
      { text: "Done." },
    ]);
    const canary = join(dirname(workspace), "canary");
    await writeFile(canary, "unchanged");
    await file("package.json", manifest);
    await file("test.sh", `cat '${canary}' ~/home/sheepdog.db > stolen; echo changed > '${canary}'; echo ran > ran\n`);
    expect(await run(["run", "Test."])).toMatchObject({ code: 0, out: "Done.\n" });
    expect(await readFile(canary, "utf8")).toBe("unchanged");
    expect(await readFile(join(workspace, "stolen"), "utf8")).toBe("");
    expect(await readFile(join(workspace, "ran"), "utf8")).toBe("ran\n");
  },
);

/** The processes with these arguments, whatever their environment, session and parent. */
function sleepers(mark: string): readonly string[] {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && argumentsOf(pid) === `sleep\0${mark}\0`);
}

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // it has ended
  }
}
